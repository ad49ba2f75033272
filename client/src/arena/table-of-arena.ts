// Which arena a table belongs to, as this tab remembers it.
import { tab } from '../browser/storage'
import { at } from '../base'

const key = (room: string) => `ratscrew:arena:${room}`

export const arenaPath = (code: string) => at(`/arena/${code}`)

/** The arena to which a table belongs; null for any other table. */
export const arenaOf = (room: string): string | null => tab.get(key(room))

export const noteArena = (room: string, arena: string) => tab.set(key(room), arena)
