// The page begins here.
import { mount } from 'svelte'
import './look/base.css'
import './look/cards.css'
import './focus'
import App from './App.svelte'
import { settings } from './settings.svelte'
import { atRest } from './shell/rest'
import { keepShell } from './shell/shell'
import { WIRE } from './wire'
import { speak } from './words'

await speak(settings.language)
mount(App, { target: document.getElementById('app')! })
if (import.meta.env.PROD) atRest(() => void keepShell().catch(() => {})) // without it a page only needs its server

// For people who look into a page that misbehaves; nothing reads it.
Object.defineProperty(window, 'ratscrew', { value: Object.freeze({ wire: WIRE }) })
