// The entry point of the client.
import { mount } from 'svelte'
import './styles/base.css'
import './styles/cards.css'
import './focus'
import App from './App.svelte'
import { settings } from './settings.svelte'
import { whenIdle } from './pwa/prefetch'
import { registerServiceWorker } from './pwa/register'
import { WIRE } from './wire'
import { setLanguage } from './i18n/language'

await setLanguage(settings.language)
mount(App, { target: document.getElementById('app')! })
if (import.meta.env.PROD) whenIdle(() => void registerServiceWorker())

// For debugging; nothing reads it.
Object.defineProperty(window, 'ratscrew', { value: Object.freeze({ wire: WIRE }) })
