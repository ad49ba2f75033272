// The daily deal: the same cards for everybody on one date. Results are stored in this browser and sent to nobody.
import { local } from '../browser/storage'
import { isFlag, isNullOr, isShape, isText, isWhole, parsed } from '../browser/stored'
import type { Recap } from '../end/recap'
import { createRoom } from '../net/rooms'
import { profile } from '../start/profile'
import type { JoinedRoom } from '../wire'

const KEY = 'ratscrew:daily'

/** The deal of a day: the room in which I play it, and the result of my first try. */
export interface Daily {
  day: string
  room: string
  result: DailyResult | null
}

export interface DailyResult {
  won: boolean
  cards: number
  /** My fastest slap, in microseconds. */
  fastest: number | null
}

/** Today's date where I live, such as 2026-11-25. */
export function today(now = new Date()): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

const isResult = isShape<DailyResult>({ won: isFlag, cards: isWhole(0), fastest: isNullOr(isWhole(0)) })
const isDaily = isShape<Daily>({ day: isText, room: isText, result: isNullOr(isResult) })

export function readDaily(): Daily | null {
  const kept = parsed(local.get(KEY))
  return isDaily(kept) ? kept : null
}

const save = (daily: Daily) => local.set(KEY, JSON.stringify(daily))

/** Opens a room with today's deal. */
export async function openDaily(): Promise<JoinedRoom> {
  const day = today()
  const joined = await createRoom({ ...profile(), bots: 1, daily: day })
  const before = readDaily()
  save({ day, room: joined.room, result: before?.day === day ? before.result : null })
  return joined
}

/** My result of a day, if this game was its deal: the first game of its room. Only the first try of a day counts. */
export function noteDaily(
  room: string,
  game: string,
  { cards, winner, players }: Pick<Recap, 'cards' | 'winner' | 'players'>,
  me: number,
): Daily | null {
  const daily = readDaily()
  if (daily?.room !== room || !game.endsWith('-1')) return null
  const after = { ...daily, result: daily.result ?? { won: winner === me, cards, fastest: players[me]?.best ?? null } }
  save(after)
  return after
}
