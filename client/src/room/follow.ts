// What the public knows after an event. Nothing in this file knows a rule: every event carries its outcome.
import type { Card, Laid, Told, View } from '../wire'

export type TableEvent = Told['e']

/** The view after an event, or the same one if the event moves no card. */
export function follow(view: View | null, event: TableEvent): View | null {
  if (event.e === 'began') {
    const { rules, held, to } = event
    return { rules, held, pile: [], to, strikes: held.map(() => 0), barred: held.map(() => false), n: 0 }
  }
  if (!view) return view
  switch (event.e) {
    case 'played':
      return {
        ...view,
        held: changed(view.held, event.seat, (held) => held - 1),
        pile: [...view.pile, [event.card, true]],
        to: event.to,
        n: event.n,
      }
    case 'burned': {
      const burned = event.cards.map((card): Laid => [card, false]).reverse()
      const held = changed(view.held, event.seat, (held) => held - burned.length)
      return { ...view, held, pile: [...burned, ...view.pile], to: event.to }
    }
    case 'taken': {
      const held = changed(view.held, event.seat, (held) => held + event.cards.length)
      return { ...view, held, pile: [], to: event.to }
    }
    case 'struck':
      return {
        ...view,
        strikes: changed(view.strikes, event.seat, () => event.strikes),
        barred: changed(view.barred, event.seat, () => event.barred),
      }
    case 'won':
      return { ...view, to: event.to }
    default:
      return view
  }
}

function changed<T>(values: readonly T[], seat: number, change: (value: T) => T): T[] {
  return values.map((value, i) => (i === seat ? change(value) : value))
}

export interface Challenge {
  by: number
  card: Card
  left: number
  chances: number
}

/** The running challenge: its card is the newest one on the pile that gives chances. */
export function challengeOf(view: View): Challenge | null {
  const { by, left, phase } = view.to
  if (by === null || phase !== 'play') return null
  for (const [card, live] of [...view.pile].reverse()) {
    const chances = view.rules.chances[card] ?? view.rules.chances[card.slice(0, -1)] ?? 0
    if (live && chances) return { by, card, left, chances }
  }
  return null
}

export const topCard = (view: View | null): Card | undefined => view?.pile.findLast(([, live]) => live)?.[0]
