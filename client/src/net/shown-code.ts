// A room's code as this screen shows it: not at all in streamer mode.
import { settings } from '../settings.svelte'
import { formatRoomCode } from './room-code'

export const shownCode = (code: string) => (settings.streamer ? '••••' : formatRoomCode(code))
