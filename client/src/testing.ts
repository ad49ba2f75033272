// Fixtures for unit tests: a house, and games as the server sends them. Imported by tests only.
import { viewAfter, type TableEvent, type EventWithChanges } from './room/public-view'
import type { Card, SeatState, SlapRecord, Proof, Rules, Standing, View } from './wire'

/** A house in which jack, queen, king and ace challenge, and a wrong slap burns one card. */
export const RULES: Rules = {
  decks: 1,
  pack: 'standard',
  without: [],
  jokers: 0,
  deal: 'one_by_one',
  remainder: 'extras',
  shuffle: 'uniform',
  direction: 'cw',
  max_players: 8,
  chances: { J: 1, Q: 2, K: 3, A: 4 },
  stoppers: [],
  run_out: 'next_continues',
  collect: 'auto',
  lead: 'taker',
  slap_window: 'always',
  final_card_slap: 'normal',
  slaps: { double: true, sandwich: true },
  judge: 'auto',
  tie: 'earliest',
  tie_window_ms: 0,
  withdraw_ms: 0,
  redneck: 'off',
  hover: 'off',
  slap_hand: 'any',
  feints: false,
  wrong_slap: { kind: 'burn', cards: 1 },
  no_cards: { kind: 'nothing' },
  max_streak: 0,
  burn_face_up: true,
  out_of_turn: 'reject',
  dead_place: 'top',
  dead_pattern: 'skip',
  out_of_turn_burn: 0,
  cheat: 'off',
  slap_in: 'always',
  late_join: 'slap_in',
  join_seat: 'end',
  endgame: 'sole_holder',
  last_chance: 0,
  last_chance_who: 'anyone',
  stalemate: 'redeal',
  limit_cards: 0,
  triple_six_ban: false,
  pickup: 'keep',
  turn_ms: 5000,
  collect_delay_ms: 900,
  contest_ms: 3000,
  hover_ms: 0,
}

export const toPlay = (turn: number, more: Partial<Standing> = {}): Standing => ({
  phase: 'play',
  turn,
  challenger: null,
  chances_left: 0,
  reason: null,
  ...more,
})

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
  missed: 0,
  touched: false,
  hovering: false,
}

/** The view after a deal of `held` cards by seat; seat 0 leads. */
export function dealt(held: number[], rules: Partial<Rules> = {}): View {
  const nobody = {
    answer_number: 0,
    opening: null,
    voided: false,
    tied: [],
    claimants: [],
    claim_type: null,
    stakes: 0,
    stolen_pile: [],
    thief: null,
    seats_to_play: [],
    resume_state: null,
    end: null,
    withdrawn: 0,
    limit: 0,
    end_reason: 'play' as const,
    slappable: true,
  }
  return {
    rules: { ...RULES, ...rules },
    cards_held: held,
    pile: [],
    standing: toPlay(0),
    circle: held.map((_, seat) => seat),
    seat_states: held.map(() => NEW_SEAT),
    asides: held.map(() => []),
    n: 0,
    ...nobody,
  }
}

/** An event with what it does to the view, as the server sends them; only the kinds that tests use. */
export function withChanges(view: View | null, event: TableEvent): EventWithChanges {
  if (event.e === 'dealt_public') return { e: event, view: dealt(event.cards_held, event.rules) }
  return view ? { e: event, c: changesOf(view, event) } : { e: event }
}

function changesOf({ cards_held: held, pile, seat_states: people }: View, event: TableEvent): EventWithChanges['c'] {
  const gets = (seat: number, count: number) => ({ [seat]: held[seat]! + count })
  switch (event.e) {
    case 'played':
      return {
        cards_held: gets(event.seat, -1),
        pile: [pile.length, 0, [event.card, 'live']],
        n: event.n,
        voided: false,
      }
    case 'misplayed':
      return { cards_held: gets(event.seat, -1), pile: [pile.length, 0, [event.card, 'dead']] }
    case 'burned':
      return {
        cards_held: gets(event.seat, -event.count),
        pile: [0, 0, ...event.cards.map((card) => [card, 'burned'])],
      }
    case 'taken':
      return { cards_held: gets(event.seat, event.count), pile: [0, pile.length] }
    case 'eliminated':
      return { cards_held: { [event.seat]: 0 }, seat_states: { [event.seat]: { playing: false, out: true } } }
    case 'locked':
      return { seat_states: { [event.seat]: { locked: event.until } } }
    case 'fouled':
      return { seat_states: { [event.seat]: { convicted: true } } }
    case 'touched':
      return { seat_states: { [event.seat]: { touched: true } } }
    case 'hovered':
      return { seat_states: { [event.seat]: { hovering: true } } }
    case 'arrived':
      return {
        cards_held: [held.length, 0, 0],
        asides: [held.length, 0, []],
        seat_states: [people.length, 0, { ...NEW_SEAT, playing: false }],
      }
    case 'voided':
      return { voided: true }
    case 'won':
    case 'drawn':
      return { end: event.e }
    default:
      return {}
  }
}

/** The table after these events. */
export const after = (view: View, ...events: TableEvent[]): View =>
  events.reduce((now, event) => viewAfter(now, withChanges(now, event))!, view)

/** A finished game's events, each with what it does to the view. */
export function allWithChanges(events: readonly TableEvent[]): EventWithChanges[] {
  let view: View | null = null
  return events.map((event) => {
    const next = withChanges(view, event)
    view = viewAfter(view, next)
    return next
  })
}

export const played = (seat: number, card: Card, n: number, to: Standing): TableEvent => ({
  e: 'played',
  seat,
  card,
  n,
  standing: to,
})

export const taken = (seat: number, count: number, why: string): TableEvent => ({
  e: 'taken',
  seat,
  count,
  reason: why,
  standing: toPlay(seat),
})

export const NAMES = ['Ana', 'Ben', 'Cleo']

/** A seat's name; null for seat 0, which is mine. */
export const orMe = (seat: number): string | null => (seat ? NAMES[seat]! : null)

const PROOF: Proof = {
  arrived_us: 0,
  rtt_us: 0,
  pressed_us: 0,
  free_us: 0,
  purse_us: 0,
  granted_us: 0,
  beat_us: null,
  lag_us: null,
  app_us: null,
  control_us: null,
  kernel_us: null,
  paint_us: null,
  frame_us: null,
}

export const hit = (seat: number, us: number, proof: Partial<Proof> | null = null): SlapRecord => ({
  seat,
  us,
  page: null,
  proof: proof && { ...PROOF, ...proof },
})
