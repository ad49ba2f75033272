// The entry point of the client.
import { mount } from 'svelte'
import './styles/base.css'
import './styles/cards.css'
import './focus'
import App from './App.svelte'
import { followTranslations } from './browser/translation'
import { settings } from './settings.svelte'
import { whenIdle } from './pwa/prefetch'
import { registerServiceWorker } from './pwa/register'
import { WIRE } from './wire'
import { setLanguage } from './i18n/language'

/** A browser that knows container units knows all else that scripts use. */
const upToDate = CSS.supports('width', '1cqw')
void (upToDate ? Promise.resolve() : import('./polyfills'))
  .then(() => setLanguage(settings.language))
  .then(() => followTranslations(document.body))
  .then(() => mount(App, { target: document.getElementById('app')! }))
if (import.meta.env.PROD) whenIdle(() => void registerServiceWorker())

// For debugging; nothing reads it.
Object.defineProperty(window, 'ratscrew', { value: Object.freeze({ wire: WIRE }) })
