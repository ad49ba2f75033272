// What a page does when it has been shown: it follows translators, and can do without a network.
import { followTranslations } from './browser/translation'
import { registerServiceWorker } from './pwa/register'
import { reenterRoom } from './route.svelte'

followTranslations(document.body)
if (document.querySelector('font')) reenterRoom() // texts that were translated before would not follow their changes
if (import.meta.env.PROD) void registerServiceWorker()
