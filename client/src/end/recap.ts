// The recap of a finished game, computed from its events: reaction times, cards over time, and what decided. Contains
// no rules and shows nothing. A moment (`at`) is the number of events so far.
import type { TableEvent } from '../room/public-view'
import type { Finished, Appearance, View } from '../wire'
import { viewsAfterEvents } from './views'

/** One hand that came down: first, behind another, or where there was nothing to slap. */
export interface Slap {
  seat: number
  /** The card it came down on: how many had been turned. */
  n: number
  us: number
  verdict: 'won' | 'beaten' | 'wrong'
  /** The pattern that lay there; '' if none did. */
  pattern: string
  at: number
}

/** A pile that a player took: `us` is the reaction time, if they slapped it. */
export interface Pile {
  seat: number
  n: number
  count: number
  why: string
  us: number | null
  /** A moment at which it still lies there. */
  at: number
}

export interface Player {
  seat: number
  name: string
  bot: boolean
  appearance: Appearance
  /** Of their hands on piles that could be slapped, in microseconds. */
  best: number | null
  median: number | null
  /** Piles that they slapped first, and those where another hand was faster. */
  won: number
  beaten: number
  /** How often a pile could be slapped and their hand did not come in time. */
  missed: number
  wrong: number
}

/** A player had no cards left, and got some again. */
export interface Comeback {
  seat: number
  times: number
  /** When they first did. */
  n: number
  /** The most cards that they held after it. */
  most: number
}

export interface Recap {
  players: Player[]
  winner: number | null
  /** Cards turned. */
  cards: number
  ms: number
  slaps: Slap[]
  piles: Pile[]
  /** `held[n][seat]`: the cards of each seat after `n` turned cards. */
  held: number[][]
  biggest: Pile | null
  /** The pile since which the winner held more than anybody else after every pile; `first` if it was the first one. */
  decided: (Pile & { first: boolean }) | null
  /** The greatest first. */
  comebacks: Comeback[]
}

export function recapOf(game: Finished): Recap {
  const views = viewsAfterEvents(game)
  const last = views[views.length - 1]!
  const slaps: Slap[] = []
  const piles: Pile[] = []
  game.events.forEach(({ e: event }, i) => note(event, views[i + 1] ?? null, i + 1, slaps, piles))
  const winner = last.end === 'won' ? last.standing.turn : null
  return {
    players: game.seats.map((_, seat) => player(game, views, seat, slaps)),
    winner,
    cards: last.n,
    ms: game.events[game.events.length - 1]!.at_ms,
    slaps,
    piles,
    held: heldOf(views),
    biggest: piles.reduce<Pile | null>((most, pile) => (most && most.count >= pile.count ? most : pile), null),
    decided: winner === null ? null : decidedBy(winner, piles, game, views),
    comebacks: comebacksOf(views),
  }
}

/** The player who gets the pile, or the game, by a slap was first: the order of hands alone does not say so. */
function note(event: TableEvent, view: View | null, at: number, slaps: Slap[], piles: Pile[]) {
  switch (event.e) {
    case 'judged':
      for (const { seat, us } of event.order)
        slaps.push({ seat, n: event.n, us, verdict: 'beaten', pattern: event.pattern, at })
      return
    case 'measured':
      slaps.push({ seat: event.slap.seat, n: event.n, us: event.slap.us, verdict: 'wrong', pattern: '', at })
      return
    case 'taken': {
      const slap = event.reason.startsWith('slap:')
        ? slaps.findLast(({ seat, verdict }) => seat === event.seat && verdict !== 'wrong')
        : undefined
      const mine = slap?.verdict === 'beaten' && !piles.some((pile) => pile.at > slap.at) ? slap : undefined
      if (mine) mine.verdict = 'won'
      piles.push({
        seat: event.seat,
        n: view?.n ?? 0,
        count: event.count,
        why: event.reason,
        us: mine?.us ?? null,
        at: mine?.at ?? at - 1,
      })
    }
  }
}

function player(game: Finished, views: readonly (View | null)[], seat: number, slaps: readonly Slap[]): Player {
  const { name, bot, appearance } = game.seats[seat]!
  const mine = slaps.filter((slap) => slap.seat === seat)
  const good = mine.filter(({ verdict }) => verdict !== 'wrong')
  const times = good.map(({ us }) => us).sort((a, b) => a - b)
  const [low, high] = [times[(times.length - 1) >> 1], times[times.length >> 1]]
  const open = game.openings.map(({ v }) => views[v]!).filter((view) => mayslap(view, seat))
  return {
    seat,
    name,
    bot: bot !== null,
    appearance: appearance ?? { hue: seat % 8, shape: 'palm' },
    best: times[0] ?? null,
    median: low === undefined || high === undefined ? null : (low + high) / 2,
    won: game.events.filter(({ e }) => e.e === 'taken' && e.seat === seat && e.reason.startsWith('slap:')).length,
    beaten: good.filter(({ verdict }) => verdict === 'beaten').length,
    missed: open.filter(({ n }) => !good.some((slap) => slap.n === n)).length,
    wrong: game.events.filter(({ e }) => e.e === 'fouled' && e.seat === seat).length,
  }
}

/** Whether a seat was there, and not barred from slapping. */
function mayslap(view: View, seat: number): boolean {
  const person = view.seat_states[seat]
  return !!person && !person.out && person.locked !== 'game'
}

function heldOf(views: readonly (View | null)[]): number[][] {
  const held: number[][] = []
  for (const view of views) if (view) held[view.n] = view.cards_held
  return held
}

function decidedBy(
  winner: number,
  piles: readonly Pile[],
  game: Finished,
  views: readonly (View | null)[],
): Recap['decided'] {
  const after = game.events.flatMap(({ e }, i) => (e.e === 'taken' ? [views[i + 1]!.cards_held] : []))
  const behind = after.findLastIndex((held) => held.some((cards, seat) => seat !== winner && cards >= held[winner]!))
  const pile = piles[behind + 1]
  return pile ? { ...pile, first: behind < 0 } : null
}

function comebacksOf(views: readonly (View | null)[]): Comeback[] {
  const found = new Map<number, Comeback>()
  for (let i = 1; i < views.length; i++) {
    const [before, view] = [views[i - 1], views[i]]
    view?.cards_held.forEach((held, seat) => {
      const had = before?.cards_held[seat]
      const known = found.get(seat)
      if (known) known.most = Math.max(known.most, held)
      const gone = had === 0 && held > 0 && everHeld(views, seat, i)
      if (gone && known) known.times++
      else if (gone) found.set(seat, { seat, times: 1, n: view.n, most: held })
    })
  }
  return [...found.values()].sort((one, other) => other.most - one.most)
}

/** Whether a seat had cards before: a late player had none. */
const everHeld = (views: readonly (View | null)[], seat: number, until: number) =>
  views.slice(0, until).some((view) => (view?.cards_held[seat] ?? 0) > 0)
