// The players whom this browser hides, by the room and their name there. An account also blocks them on the server.
const KEY = 'ratscrew:hidden'
const ROOMS_MOST = 20

type Hidden = Record<string, readonly string[]>

function read(): Hidden {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Hidden
  } catch {
    return {}
  }
}

/** The names that are hidden in a room. */
export const hiddenNames = (room: string): readonly string[] => read()[room] ?? []

/** Hides a player of a room, or no longer. */
export function setHidden(room: string, name: string, on: boolean) {
  const all = read()
  const names = (all[room] ?? []).filter((each) => each !== name)
  const rooms = Object.entries({ ...all, [room]: on ? [...names, name] : names }).slice(-ROOMS_MOST)
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(rooms)))
}
