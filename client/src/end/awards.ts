// Titles for a game's players, such as who had the fastest hand: at most one each. Computed from the recap.
import type { Player, Recap } from './recap'

export type Award =
  | { kind: 'fastest'; seat: number; us: number }
  | { kind: 'comeback'; seat: number; most: number }
  | { kind: 'thief'; seat: number; piles: number }
  | { kind: 'jackpot'; seat: number; count: number }
  | { kind: 'calm'; seat: number; slaps: number }
  | { kind: 'hasty'; seat: number; wrong: number }

const OFTEN = 3 // so many piles, slaps or wrong slaps are worth a title

type Facts = Pick<Recap, 'players' | 'comebacks' | 'biggest'>

/** The titles of a game, the rarest first; nobody has two. */
export function awardsOf({ players, comebacks, biggest }: Facts): Award[] {
  const most = (of: (player: Player) => number) => {
    const [first, second] = [...players].sort((one, other) => of(other) - of(one))
    return first && of(first) > (second ? of(second) : 0) ? first : null // shared titles are none
  }
  const found: Award[] = []
  const fastest = most(({ best }) => (best ? 1 / best : 0))
  const thief = most(({ won }) => won)
  const hasty = most(({ wrong }) => wrong)
  const calm = most(({ wrong, won, beaten }) => (wrong ? 0 : won + beaten))
  const [back] = comebacks
  if (fastest?.best) found.push({ kind: 'fastest', seat: fastest.seat, us: fastest.best })
  if (back) found.push({ kind: 'comeback', seat: back.seat, most: back.most })
  if (biggest) found.push({ kind: 'jackpot', seat: biggest.seat, count: biggest.count })
  if (thief && thief.won >= OFTEN) found.push({ kind: 'thief', seat: thief.seat, piles: thief.won })
  if (calm && calm.won + calm.beaten >= OFTEN)
    found.push({ kind: 'calm', seat: calm.seat, slaps: calm.won + calm.beaten })
  if (hasty && hasty.wrong >= OFTEN) found.push({ kind: 'hasty', seat: hasty.seat, wrong: hasty.wrong })
  return found.filter(({ seat }, i) => found.findIndex((award) => award.seat === seat) === i)
}
