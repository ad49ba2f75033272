// What players read while there is no connection.
import { texts } from '../i18n/room'
import type { Room } from './room.svelte'

/** That the page is connecting; after some tries, what is in the way. */
export const offlineText = (room: Room): string => texts.link[room.obstacle ?? (room.entered ? 'lost' : 'connecting')]
