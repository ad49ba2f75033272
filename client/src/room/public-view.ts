// The public view of a game after an event. Contains no rules: every event carries its outcome.
import type { Card, SeatState, Shown, EventMessage, View } from '../wire'

export type TableEvent = EventMessage['e']

/** The view after an event; the same object if nothing visible changes. */
export function applyEvent(view: View | null, event: TableEvent): View | null {
  if (event.e === 'began') {
    const { rules, held, pile, to } = event
    const circle = held.map((_, seat) => seat)
    return { rules, held, pile, to, circle, people: held.map(() => NEW_SEAT), asides: held.map(() => []), n: 0, withdrawn: 0, opening: null, end: null, ...EMPTY_PILE }
  }
  return view && step(view, event)
}

const EMPTY_PILE = { chance: 0, voided: false, tied: [], claimed: [], claim: null, gifts: 0, grabbed: [], thief: null, yet: [], back: null }

const NEW_SEAT: SeatState = {
  playing: true,
  out: false,
  strikes: 0,
  fouls: 0,
  streak: 0,
  streak_n: -1,
  locked: 0,
  hand_burned: false,
  debt: 0,
  convicted: false,
  touched: false,
  hovering: false,
}

function step(view: View, event: TableEvent): View {
  switch (event.e) {
    case 'played':
      return {
        ...updateSeatState(view, event.seat, { touched: false }),
        held: changed(view.held, event.seat, (held) => held - 1),
        asides: event.aside ? changed(view.asides, event.seat, (cards) => cards.slice(1)) : view.asides,
        pile: [...view.pile, [event.card, 'live']],
        to: event.to,
        n: event.n,
        chance: event.chance,
        opening: view.opening ?? event.card,
        voided: false,
        ...seen(view, event.seat),
      }
    case 'withdrawn': {
      const held = changed(view.held, event.seat, (held) => held + 1)
      const asides = event.aside ? changed(view.asides, event.seat, (cards) => [event.card, ...cards]) : view.asides
      const place = view.pile.findLastIndex(([, kind]) => kind === 'live')
      const pile = [...view.pile.slice(place + 1), ...view.pile.slice(0, place)]
      return { ...view, held, asides, pile, to: event.to, chance: event.chance, withdrawn: view.withdrawn + 1, voided: false }
    }
    case 'misplayed': {
      const dead: Shown = [event.card, 'dead']
      const held = changed(view.held, event.seat, (held) => held - 1)
      return { ...view, held, pile: event.place === 'bottom' ? [dead, ...view.pile] : [...view.pile, dead] }
    }
    case 'exposed':
      return { ...view, asides: changed(view.asides, event.seat, (cards) => [...cards, event.card]) }
    case 'burned': {
      const burned = faces(event.cards, event.count)
      const held = changed(view.held, event.seat, (held) => held - event.count)
      const pile = event.place === 'bottom' ? [...burned.reverse(), ...view.pile] : [...view.pile, ...burned]
      const debt = Math.max(0, view.people[event.seat]!.debt - event.count)
      return { ...updateSeatState(view, event.seat, { debt }), held, pile }
    }
    case 'eliminated': {
      const pile = [...faces(event.cards, event.count).reverse(), ...view.pile]
      const held = changed(view.held, event.seat, () => 0)
      const asides = changed(view.asides, event.seat, () => [])
      return { ...updateSeatState(view, event.seat, { playing: false, out: true }), held, asides, pile }
    }
    case 'given': {
      const held = changed(view.held, event.seat, (held) => held - 1)
      if (view.claimed[0] === event.receiver) return { ...view, held, gifts: view.gifts + 1 }
      return { ...view, held: changed(held, event.receiver, (held) => held + 1) }
    }
    case 'taken': {
      let { held, asides } = view
      if (event.aside !== null) {
        held = changed(held, event.aside, (held) => held - 1)
        asides = changed(asides, event.aside, (cards) => cards.slice(1))
      }
      held = changed(held, event.seat, (held) => held + event.count + view.gifts)
      const after = { ...cleared(view), held, asides, to: event.to }
      return event.why.startsWith('slap:') ? updateSeatState(after, event.seat, { fouls: 0, streak: 0, streak_n: -1 }) : after
    }
    case 'slapped': {
      const people = view.people.map((person, seat) => {
        const down = event.seats.includes(seat) && (person.touched || person.hovering)
        return down ? { ...person, touched: false, hovering: false } : { ...person, hand_burned: false }
      })
      return { ...view, people }
    }
    case 'fouled': {
      const fouls = view.people[event.seat]!.fouls + 1
      return updateSeatState(view, event.seat, { fouls, streak: event.streak, streak_n: view.n, convicted: true })
    }
    case 'struck':
      return updateSeatState(view, event.seat, { strikes: event.strikes })
    case 'locked':
      return updateSeatState(view, event.seat, { locked: event.until })
    case 'hand_burned':
      return updateSeatState(view, event.seat, { hand_burned: true })
    case 'indebted':
      return updateSeatState(view, event.seat, { debt: event.cards })
    case 'voided':
      return { ...view, voided: true }
    case 'tied':
      return { ...view, tied: event.seats, back: view.to, to: event.to }
    case 'claimed':
      return { ...view, claimed: [event.seat], claim: event.what, back: view.to, to: event.to }
    case 'contested':
      return { ...view, claimed: [...view.claimed, event.seat] }
    case 'resumed':
      return { ...view, claimed: [], claim: null, gifts: 0, tied: [], back: null, to: event.to }
    case 'grabbed': {
      const yet = view.circle.filter((seat) => view.held[seat])
      return { ...view, pile: [], grabbed: view.pile, thief: event.seat, yet, back: view.to, to: event.to }
    }
    case 'returned':
      return { ...view, pile: view.grabbed, grabbed: [], thief: null, yet: [], back: null, to: event.to }
    case 'stowed': {
      const held = changed(view.held, event.seat, (held) => held + view.grabbed.length)
      return { ...cleared(view), held, thief: view.thief, yet: view.yet, to: event.to }
    }
    case 'split':
      return { ...view, back: view.to, to: event.to }
    case 'got': {
      const less = changed(view.held, event.cheater, (held) => held - event.count)
      const held = changed(less, event.seat, (held) => held + event.count)
      return { ...view, held, grabbed: [], thief: null, yet: [], back: null, to: event.to }
    }
    case 'arrived': {
      const newcomer = { ...NEW_SEAT, playing: false }
      return { ...view, held: [...view.held, 0], asides: [...view.asides, []], people: [...view.people, newcomer] }
    }
    case 'joined':
      return { ...updateSeatState(view, event.seat, { playing: true }), circle: event.circle }
    case 'touched':
      return updateSeatState(view, event.seat, { touched: true })
    case 'hovered':
      return updateSeatState(view, event.seat, { hovering: !event.off })
    case 'downed':
      return updateSeatState(view, event.target, { hovering: false })
    case 'passed':
    case 'spared':
      return { ...view, to: event.to }
    case 'won':
      return { ...view, to: event.to, end: 'won' }
    case 'lost':
      return { ...view, to: event.to, end: 'lost' }
    case 'drawn':
      return { ...view, to: event.to, end: 'drawn' }
    case 'reshuffled':
      return { ...cleared(view), held: event.held, asides: event.held.map(() => []), to: event.to }
    default:
      return view // feints, and events that do not change the cards
  }
}

function changed<T>(values: readonly T[], seat: number, change: (value: T) => T): T[] {
  return values.map((value, i) => (i === seat ? change(value) : value))
}

function updateSeatState(view: View, seat: number, notes: Partial<SeatState>): View {
  return { ...view, people: changed(view.people, seat, (person) => ({ ...person, ...notes })) }
}

/** Burned cards; face-down ones are null. */
function faces(cards: readonly Card[], count: number): Shown[] {
  return Array.from({ length: count }, (_, i) => [cards[i] ?? null, 'burned'])
}

/** A player who took a pile that was not theirs is safe once every player has played since. */
function seen(view: View, seat: number): Pick<View, 'thief' | 'yet'> {
  const yet = view.yet.filter((other) => other !== seat)
  return { yet, thief: view.yet.length && !yet.length ? null : view.thief }
}

/** The table after its pile has been taken up. */
function cleared(view: View): View {
  const people = view.people.map((person) => ({ ...person, hand_burned: false, locked: person.locked === 'pile' ? 0 : person.locked }))
  return { ...view, ...EMPTY_PILE, pile: [], people }
}
