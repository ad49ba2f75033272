// Games that are over, from the server: each is fetched once, and is the same for ever.
import { ask } from '../net/ask'
import type { Finished } from '../wire'

const games = new Map<string, Promise<Finished>>()

export function gameOf(id: string): Promise<Finished> {
  let game = games.get(id)
  if (!game) {
    game = ask<Finished>(api(id))
    games.set(id, game)
    game.catch(() => games.delete(id)) // it may be over the next time
  }
  return game
}

const api = (id: string) => `/api/games/${encodeURIComponent(id)}`

/** Where its text is. */
export const textOf = (id: string) => `${api(id)}.txt`

/** The name of a game as an address has it, in which every letter may be a capital. */
export function idOf(code: string): string {
  const [room = '', ...rest] = code.split('-')
  return [room, ...rest.map((part) => part.toLowerCase())].join('-')
}

export const storyPath = (id: string) => `/game/${id}`

/** Where it can be watched, from a moment on. */
export const replayPath = (id: string, at?: number) => `/replay/${id}${at === undefined ? '' : `#${at}`}`
