// The pieces that a room is made of, each with its words.
import { inRoom } from '../words/room'

export const roomPage = () => inRoom(() => import('./RoomPage.svelte'))

/** All that a table in play needs. */
export const wholeTable = () => Promise.all([roomPage(), inRoom(() => import('./TablePage.svelte'))])
