// My records, stored in this browser and sent to nobody.
import { local } from '../browser/storage'
import { fieldsOf, isNullOr, isWhole, parsed } from '../browser/stored'
import type { Recap } from '../end/recap'

const KEY = 'ratscrew:bests'

export interface Bests {
  /** My fastest slap, in microseconds, and the most cards that I have won at once. */
  fastest: number | null
  biggest: number
  games: number
  won: number
  /** Games that I have won in a row, now and at most. */
  streak: number
  longest: number
  /** The last game that is counted here. */
  game: string
}

/** What a game has improved. */
export interface Improved {
  /** The fastest slap before this game. */
  fastest?: number
  biggest?: number
  longest?: number
}

export const NO_BESTS: Bests = { fastest: null, biggest: 0, games: 0, won: 0, streak: 0, longest: 0, game: '' }

const WORTH_TELLING = 3 // wins in a row

/** The records after a game in which I had a seat, and what it has improved; the first game improves nothing. */
export function bestsAfter(
  bests: Bests,
  id: string,
  { players, piles, winner }: Pick<Recap, 'players' | 'piles' | 'winner'>,
  me: number,
): { bests: Bests; improved: Improved } {
  if (bests.game === id) return { bests, improved: {} }
  const mine = players[me]?.best ?? null
  const big = piles.reduce((most, { seat, count }) => (seat === me ? Math.max(most, count) : most), 0)
  const streak = winner === me ? bests.streak + 1 : 0
  const faster = mine !== null && (bests.fastest === null || mine < bests.fastest)
  const after: Bests = {
    fastest: faster ? mine : bests.fastest,
    biggest: Math.max(bests.biggest, big),
    games: bests.games + 1,
    won: bests.won + (winner === me ? 1 : 0),
    streak,
    longest: Math.max(bests.longest, streak),
    game: id,
  }
  const improved: Improved = {}
  if (faster && bests.fastest !== null) improved.fastest = bests.fastest
  if (bests.games && big > bests.biggest) improved.biggest = big
  if (streak >= WORTH_TELLING && streak > bests.longest) improved.longest = streak
  return { bests: after, improved }
}

const COUNT = isWhole(0)

export const readBests = (): Bests =>
  fieldsOf(parsed(local.get(KEY)), NO_BESTS, {
    fastest: isNullOr(COUNT),
    biggest: COUNT,
    games: COUNT,
    won: COUNT,
    streak: COUNT,
    longest: COUNT,
  })

/** Counts a game once, and returns what it has improved. */
export function noteGame(id: string, recap: Recap, me: number): Improved {
  const { bests, improved } = bestsAfter(readBests(), id, recap, me)
  local.set(KEY, JSON.stringify(bests))
  return improved
}
