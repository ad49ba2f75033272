// The page begins here.
import { mount } from 'svelte'
import './look/base.css'
import './look/cards.css'
import './look/stage.css'
import App from './App.svelte'
import { WIRE } from './wire'

mount(App, { target: document.getElementById('app')! })

// For people who look into a page that misbehaves; nothing reads it.
Object.defineProperty(window, 'ratscrew', { value: Object.freeze({ wire: WIRE }) })
