// Loads the code of a room's page, each piece together with its texts.
import { withRoomTexts } from '../i18n/room'

export const loadRoomPage = () => withRoomTexts(() => import('./RoomPage.svelte'))

/** Loads all that a running table needs. */
export const loadTable = () => Promise.all([loadRoomPage(), withRoomTexts(() => import('./TablePage.svelte'))])
