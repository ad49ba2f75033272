// Who I am to a server: the name and the hand that I have chosen.
import { settings } from '../settings.svelte'
import type { NewSeat } from '../wire'
import { words } from '../words'

export const me = (): NewSeat => ({ name: settings.name.trim() || words.start.nameHint, guise: settings.guise })
