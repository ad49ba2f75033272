// Fixtures for unit tests: a house, and games as the server sends them. Imported by tests only.
import { applyEvent, type TableEvent } from './room/public-view'
import type { Card, SlapRecord, Proof, Rules, Standing, View } from './wire'

/** A house in which jack, queen, king and ace challenge, and a wrong slap burns one card. */
export const RULES: Rules = {
  decks: 1,
  pack: 'standard',
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
  triple_six_ban: false,
  pickup: 'keep',
  turn_ms: 5000,
  collect_delay_ms: 900,
  contest_ms: 3000,
  hover_ms: 0,
}

export const toPlay = (turn: number, more: Partial<Standing> = {}): Standing => ({ phase: 'play', turn, challenger: null, chances_left: 0, reason: null, ...more })

/** The view after a deal of `held` cards by seat; seat 0 leads. */
export function dealt(held: number[], rules: Partial<Rules> = {}): View {
  return applyEvent(null, { e: 'dealt_public', rules: { ...RULES, ...rules }, cards_held: held, pile: [], standing: toPlay(0) })!
}

/** The table after these events. */
export const after = (view: View, ...events: TableEvent[]): View => events.reduce((now, event) => applyEvent(now, event)!, view)

export const played = (seat: number, card: Card, n: number, to: Standing): TableEvent => ({ e: 'played', seat, card, n, standing: to, answer_number: 0, aside: false, at_ms: null })

export const taken = (seat: number, count: number, why: string): TableEvent => ({ e: 'taken', seat, count, reason: why, standing: toPlay(seat), aside: null, order: null })

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
}

export const hit = (seat: number, us: number, proof: Partial<Proof> | null = null): SlapRecord => ({ seat, us, page: null, proof: proof && { ...PROOF, ...proof } })
