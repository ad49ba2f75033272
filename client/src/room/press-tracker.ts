// Which card a press is for, and when it was, as the judge gets it. Sends and shows nothing.
import type { SlapMessage } from '../wire'

const MAX_EVENT_AGE_MS = 200 // an older event time is not believed
const SAME_SLAP_MS = 120 // nobody slaps twice so soon: it is the same slap
const PALM_MS = 200 // the fingers of one hand come down within this time
const SAME_REQUEST_MS = 250 // a second press so soon is the same request
const SAME_HAND_MS = 400 // for this long the finger that turned a card counts as the same hand

export interface Press {
  event: Event
  contact: number
  after: number | null
  seat: number
}

/** A press that asks for a seat's card after card `n`; `finger` is -1 if it was not a touch. */
interface Turn {
  n: number
  at: number
  finger: number
}

/** A card that this page got. */
export interface ShownCard {
  readonly n: number
  /** Presses are for it from then on: since it is visible, or since the page has it if no frame has shown it. */
  from: number
  /** When it was painted, if that is known. */
  painted: number | null
}

export class PressTracker {
  private cards: ShownCard[] = [] // the newest first, and the one before it
  private readonly hands = new Map<number, SlapMessage>()
  private lastPress = { stamp: NaN, at: 0 } // the time stamp of the last slap's event, and the time that it was given
  private count = 0
  private readonly turned = new Map<number, Turn>()

  /** The newest card; null before the first. */
  get newest(): ShownCard | null {
    return this.cards[0] ?? null
  }

  /** The table has card `n` on top now: presses are for it, unless a frame says when it becomes visible. Returns it if it
      is new. To be called for each change of the table; nothing else decides which card is the newest, because reports
      of paintings come in any order. */
  follow(n: number): ShownCard | null {
    this.cards = this.cards.filter((card) => card.n <= n) // a card that went back comes again under the same number
    if (this.newest?.n === n) return null
    const card = { n, from: performance.now(), painted: null }
    this.cards = [card, ...this.cards.slice(0, 1)]
    return card
  }

  /** The frame that has just been drawn makes card `n` visible at `at`, a moment from now. */
  drawn(n: number, at: number) {
    const card = this.cards.find((card) => card.n === n)
    if (card?.painted === null) card.from = card.painted = at
  }

  /** Resets for another game, whose cards count from 1 again. */
  forget() {
    this.cards = []
    this.hands.clear()
  }

  /** The slap message for a press; null if there is no card, or the event is not a person's. */
  slap({ event, contact, after, seat }: Press): { slap: SlapMessage; more: boolean } | null {
    if (!event.isTrusted) return null
    if (event.timeStamp !== this.lastPress.stamp) this.lastPress = { stamp: event.timeStamp, at: eventTime(event) }
    const t_ms = this.lastPress.at // one for all events with the same time stamp, however late the page gets each of them
    const hand = this.hands.get(seat)
    const rest = hand ? t_ms - hand.t_ms : Infinity
    if (hand && rest < PALM_MS && contact > (hand.contact ?? 1))
      return { slap: this.keep({ ...hand, contact }), more: true }
    const card = this.cards.find(({ from }) => from <= t_ms) ?? this.cards.at(-1)
    if (!card || rest < SAME_SLAP_MS) return null
    const p_ms = card.painted !== null && card.painted <= t_ms ? card.painted : card.from
    return { slap: this.keep({ t: 'slap', n: card.n, p_ms, t_ms, s: ++this.count, contact, after, seat }), more: false }
  }

  /** Records that this press asks for a seat's card. */
  requestTurn(event: Event, seat: number, n: number) {
    const { pointerType, pointerId = -1 } = event as Partial<PointerEvent>
    const finger = pointerType === 'touch' ? pointerId : -1
    this.turned.set(seat, { n, at: event.timeStamp, finger })
  }

  /** Whether that card is already requested: a second press is the same request. */
  isTurnRequested(event: Event, seat: number, n: number, inTurn: boolean): boolean {
    const turn = this.turned.get(seat)
    return turn?.n === n && (inTurn || event.timeStamp - turn.at < SAME_REQUEST_MS)
  }

  /** No card is requested any more. */
  clearTurnRequests(seat?: number) {
    for (const [mine, turn] of this.turned)
      if (seat === undefined || seat === mine) this.turned.set(mine, { ...turn, n: -1 })
  }

  /** Whether it is the finger that turned a seat's card at `turnedAt`, and may rest on it for `rest` milliseconds. */
  isTurningFinger(event: Event, seat: number, turnedAt: number, rest: number): boolean {
    const same = 'pointerId' in event && event.pointerId === this.turned.get(seat)?.finger
    return same && performance.now() - turnedAt < Math.max(rest, SAME_HAND_MS)
  }

  private keep(slap: SlapMessage): SlapMessage {
    this.hands.set(slap.seat!, slap)
    return slap
  }
}

/** When a finger came down: the event's own time, if it is plausible. */
function eventTime({ timeStamp }: Event): number {
  const now = performance.now()
  return timeStamp <= now && now - timeStamp <= MAX_EVENT_AGE_MS ? timeStamp : now
}
