// The players whom this browser hides, by the room and their name there. An account also blocks them on the server.
import { local } from '../browser/storage'
import { isListOf, isObject, isText, parsed } from '../browser/stored'

const KEY = 'ratscrew:hidden'
const ROOMS_MOST = 20

type Hidden = Record<string, readonly string[]>

function read(): Hidden {
  const kept = parsed(local.get(KEY))
  const names = isListOf(isText)
  return isObject(kept)
    ? Object.fromEntries(Object.entries(kept).filter((room): room is [string, string[]] => names(room[1])))
    : {}
}

/** The names that are hidden in a room. */
export const hiddenNames = (room: string): readonly string[] => read()[room] ?? []

/** Hides a player of a room, or no longer. */
export function setHidden(room: string, name: string, on: boolean) {
  const all = read()
  const names = (all[room] ?? []).filter((each) => each !== name)
  const rooms = Object.entries({ ...all, [room]: on ? [...names, name] : names }).slice(-ROOMS_MOST)
  local.set(KEY, JSON.stringify(Object.fromEntries(rooms)))
}
