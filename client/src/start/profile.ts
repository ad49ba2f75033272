// Who I am to a server: the name and the hand that I have chosen. Without a name the server picks one that is free.
import { settings } from '../settings.svelte'
import type { NewSeat } from '../wire'

export const profile = (): NewSeat => ({ name: settings.name.trim(), appearance: settings.appearance })
