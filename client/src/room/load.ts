// The pieces that a room is made of, each with its words.
import { withRoomTexts } from '../i18n/room'

export const loadRoomPage = () => withRoomTexts(() => import('./RoomPage.svelte'))

/** All that a table in play needs. */
export const loadTable = () => Promise.all([loadRoomPage(), withRoomTexts(() => import('./TablePage.svelte'))])
