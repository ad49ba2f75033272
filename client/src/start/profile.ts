// The player's name and hand, as sent to the server. Without a name the server picks one that is free.
import { settings } from '../settings.svelte'
import type { NewSeat } from '../wire'

export const profile = (): NewSeat => ({ name: settings.name.trim(), appearance: settings.appearance })
