// Loads a finished game. It never changes, so it is fetched once while it is looked at.
import { fetchJson } from '../net/api'
import type { Finished } from '../wire'
import { at } from '../base'

let last: { id: string; game: Promise<Finished> } | null = null // and none before it: an evening has many games

export function gameOf(id: string): Promise<Finished> {
  if (last?.id === id) return last.game
  const asked = (last = { id, game: fetchJson<Finished>(api(id)) })
  asked.game.catch(() => {
    if (last === asked) last = null // it may be over the next time
  })
  return asked.game
}

const api = (id: string) => `/api/games/${encodeURIComponent(id)}`

/** Where its text is. */
export const textOf = (id: string) => `${api(id)}.txt`

/** The name of a game as an address has it, in which every letter may be a capital. */
export function idOf(code: string): string {
  const [room = '', ...rest] = code.split('-')
  return [room, ...rest.map((part) => part.toLowerCase())].join('-')
}

export const recapPath = (id: string) => at(`/game/${id}`)

/** Where it can be watched, from a moment on. */
export const replayPath = (id: string, v?: number) => at(`/replay/${id}${v === undefined ? '' : `#${v}`}`)
