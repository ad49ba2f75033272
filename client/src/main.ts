// The entry point of the client.
import { mount } from 'svelte'
import './styles/base.css'
import './styles/cards.css'
import './focus'
import App from './App.svelte'
import { settings } from './settings.svelte'
import { whenIdle } from './pwa/prefetch'
import { WIRE } from './wire'
import { setLanguage } from './i18n/language'

/** A browser that knows these knows all else that the page uses. */
const upToDate = CSS.supports('width', '1cqw') && 'findLast' in Array.prototype
void (upToDate ? Promise.resolve() : import('./polyfills'))
  .then(() => setLanguage(settings.language))
  .then(() => mount(App, { target: document.getElementById('app')! }))
whenIdle(() => void import('./when-idle').catch(() => {})) // without it nothing is missing

// For debugging; nothing reads it.
Object.defineProperty(window, 'ratscrew', { value: Object.freeze({ wire: WIRE }) })
