// The public view of a game after an event. Contains no rules: every event carries its outcome.
import type { Card, SeatState, VisibleCard, EventMessage, View } from '../wire'

export type TableEvent = EventMessage['e']

/** The view after an event; the same object if nothing visible changes. */
export function applyEvent(view: View | null, event: TableEvent): View | null {
  if (event.e === 'dealt_public') {
    const { rules, cards_held: held, pile, standing: to } = event
    const circle = held.map((_, seat) => seat)
    return { rules, cards_held: held, pile, standing: to, circle, seat_states: held.map(() => NEW_SEAT), asides: held.map(() => []), n: 0, withdrawn: 0, opening: null, end: null, ...EMPTY_PILE }
  }
  return view && step(view, event)
}

const EMPTY_PILE = { answer_number: 0, voided: false, tied: [], claimants: [], claim_type: null, stakes: 0, stolen_pile: [], thief: null, seats_to_play: [], resume_state: null }

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
        cards_held: changed(view.cards_held, event.seat, (held) => held - 1),
        asides: event.aside ? changed(view.asides, event.seat, (cards) => cards.slice(1)) : view.asides,
        pile: [...view.pile, [event.card, 'live']],
        standing: event.standing,
        n: event.n,
        answer_number: event.answer_number,
        opening: view.opening ?? event.card,
        voided: false,
        ...seen(view, event.seat),
      }
    case 'withdrawn': {
      const held = changed(view.cards_held, event.seat, (held) => held + 1)
      const asides = event.aside ? changed(view.asides, event.seat, (cards) => [event.card, ...cards]) : view.asides
      const place = view.pile.findLastIndex(([, kind]) => kind === 'live')
      const pile = [...view.pile.slice(place + 1), ...view.pile.slice(0, place)]
      return { ...view, cards_held: held, asides, pile, standing: event.standing, answer_number: event.answer_number, withdrawn: view.withdrawn + 1, voided: false }
    }
    case 'misplayed': {
      const dead: VisibleCard = [event.card, 'dead']
      const held = changed(view.cards_held, event.seat, (held) => held - 1)
      return { ...view, cards_held: held, pile: event.place === 'bottom' ? [dead, ...view.pile] : [...view.pile, dead] }
    }
    case 'exposed':
      return { ...view, asides: changed(view.asides, event.seat, (cards) => [...cards, event.card]) }
    case 'burned': {
      const burned = faces(event.cards, event.count)
      const held = changed(view.cards_held, event.seat, (held) => held - event.count)
      const pile = event.place === 'bottom' ? [...burned.reverse(), ...view.pile] : [...view.pile, ...burned]
      const debt = Math.max(0, view.seat_states[event.seat]!.debt - event.count)
      return { ...updateSeatState(view, event.seat, { debt }), cards_held: held, pile }
    }
    case 'eliminated': {
      const pile = [...faces(event.cards, event.count).reverse(), ...view.pile]
      const held = changed(view.cards_held, event.seat, () => 0)
      const asides = changed(view.asides, event.seat, () => [])
      return { ...updateSeatState(view, event.seat, { playing: false, out: true }), cards_held: held, asides, pile }
    }
    case 'given': {
      const held = changed(view.cards_held, event.seat, (held) => held - 1)
      if (view.claimants[0] === event.to_seat) return { ...view, cards_held: held, stakes: view.stakes + 1 }
      return { ...view, cards_held: changed(held, event.to_seat, (held) => held + 1) }
    }
    case 'taken': {
      let { cards_held: held, asides } = view
      if (event.aside !== null) {
        held = changed(held, event.aside, (held) => held - 1)
        asides = changed(asides, event.aside, (cards) => cards.slice(1))
      }
      held = changed(held, event.seat, (held) => held + event.count + view.stakes)
      const after = { ...cleared(view), cards_held: held, asides, standing: event.standing }
      return event.reason.startsWith('slap:') ? updateSeatState(after, event.seat, { fouls: 0, streak: 0, streak_n: -1 }) : after
    }
    case 'slapped': {
      const people = view.seat_states.map((person, seat) => {
        const down = event.seats.includes(seat) && (person.touched || person.hovering)
        return down ? { ...person, touched: false, hovering: false } : { ...person, hand_burned: false }
      })
      return { ...view, seat_states: people }
    }
    case 'fouled': {
      const fouls = view.seat_states[event.seat]!.fouls + 1
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
      return { ...view, tied: event.seats, resume_state: view.standing, standing: event.standing }
    case 'claimed':
      return { ...view, claimants: [event.seat], claim_type: event.claim_type, resume_state: view.standing, standing: event.standing }
    case 'contested':
      return { ...view, claimants: [...view.claimants, event.seat] }
    case 'resumed':
      return { ...view, claimants: [], claim_type: null, stakes: 0, tied: [], resume_state: null, standing: event.standing }
    case 'grabbed': {
      const yet = view.circle.filter((seat) => view.cards_held[seat])
      return { ...view, pile: [], stolen_pile: view.pile, thief: event.seat, seats_to_play: yet, resume_state: view.standing, standing: event.standing }
    }
    case 'returned':
      return { ...view, pile: view.stolen_pile, stolen_pile: [], thief: null, seats_to_play: [], resume_state: null, standing: event.standing }
    case 'stowed': {
      const held = changed(view.cards_held, event.seat, (held) => held + view.stolen_pile.length)
      return { ...cleared(view), cards_held: held, thief: view.thief, seats_to_play: view.seats_to_play, standing: event.standing }
    }
    case 'split':
      return { ...view, resume_state: view.standing, standing: event.standing }
    case 'half_taken': {
      const less = changed(view.cards_held, event.cheater, (held) => held - event.count)
      const held = changed(less, event.seat, (held) => held + event.count)
      return { ...view, cards_held: held, stolen_pile: [], thief: null, seats_to_play: [], resume_state: null, standing: event.standing }
    }
    case 'arrived': {
      const newcomer = { ...NEW_SEAT, playing: false }
      return { ...view, cards_held: [...view.cards_held, 0], asides: [...view.asides, []], seat_states: [...view.seat_states, newcomer] }
    }
    case 'joined':
      return { ...updateSeatState(view, event.seat, { playing: true }), circle: event.circle }
    case 'touched':
      return updateSeatState(view, event.seat, { touched: true })
    case 'hovered':
      return updateSeatState(view, event.seat, { hovering: !event.off })
    case 'slapped_down':
      return updateSeatState(view, event.target, { hovering: false })
    case 'passed':
    case 'last_chance_given':
      return { ...view, standing: event.standing }
    case 'won':
      return { ...view, standing: event.standing, end: 'won' }
    case 'lost':
      return { ...view, standing: event.standing, end: 'lost' }
    case 'drawn':
      return { ...view, standing: event.standing, end: 'drawn' }
    case 'redealt_public':
      return { ...cleared(view), cards_held: event.cards_held, asides: event.cards_held.map(() => []), standing: event.standing }
    default:
      return view // feints, and events that do not change the cards
  }
}

function changed<T>(values: readonly T[], seat: number, change: (value: T) => T): T[] {
  return values.map((value, i) => (i === seat ? change(value) : value))
}

function updateSeatState(view: View, seat: number, notes: Partial<SeatState>): View {
  return { ...view, seat_states: changed(view.seat_states, seat, (person) => ({ ...person, ...notes })) }
}

/** Burned cards; face-down ones are null. */
function faces(cards: readonly Card[], count: number): VisibleCard[] {
  return Array.from({ length: count }, (_, i) => [cards[i] ?? null, 'burned'])
}

/** A player who took a pile that was not theirs is safe once every player has played since. */
function seen(view: View, seat: number): Pick<View, 'thief' | 'seats_to_play'> {
  const yet = view.seats_to_play.filter((other) => other !== seat)
  return { seats_to_play: yet, thief: view.seats_to_play.length && !yet.length ? null : view.thief }
}

/** The table after its pile has been taken up. */
function cleared(view: View): View {
  const people = view.seat_states.map((person) => ({ ...person, hand_burned: false, locked: person.locked === 'pile' ? 0 : person.locked }))
  return { ...view, ...EMPTY_PILE, pile: [], seat_states: people }
}
