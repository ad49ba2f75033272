// My hands as the judge is told of them: which card a press is for, and when it was. Nothing in this file sends or shows.
import type { Slap } from '../wire'

const OLD_MS = 200 // an older event's time is none of a finger
const TWICE_MS = 120 // nobody slaps twice so soon: it is one hand
const PALM_MS = 200 // its fingers come down within so long
const SAME_HAND_MS = 400 // within so long the finger that has turned a card is still the hand that did

export interface Press {
  event: Event
  contact: number
  after: number | null
  /** Which of several seats at this page. */
  seat?: number
}

interface Painted {
  n: number
  at: number
}

export class Presses {
  private painted: Painted[] = [] // the newest card first, and the one before it
  private hands = new Map<number | undefined, Slap>()
  private count = 0
  private turnedBy = -1

  /** The newest card that is to be seen here. */
  get n(): number {
    return this.painted[0]?.n ?? -1
  }

  /** Card `n` is to be seen from `at` on. */
  paint(n: number, at: number) {
    if (n !== this.n) this.painted = [{ n, at }, ...this.painted.slice(0, 1)]
  }

  /** Another game begins: its cards count from 1 again. */
  forget() {
    this.painted = []
    this.hands.clear()
  }

  /** What is to be said of a press; null if no card is to be seen, or if it is no press of a person's hand. */
  slap({ event, contact, after, seat }: Press): { slap: Slap; more: boolean } | null {
    if (!event.isTrusted) return null
    const t_ms = momentOf(event)
    const hand = this.hands.get(seat)
    const rest = hand ? t_ms - hand.t_ms : Infinity
    if (hand && rest < PALM_MS && contact > (hand.contact ?? 1)) return { slap: this.keep({ ...hand, contact }), more: true }
    const card = this.painted.find(({ at }) => at <= t_ms) ?? this.painted.at(-1)
    if (!card || rest < TWICE_MS) return null
    return { slap: this.keep({ t: 'slap', n: card.n, p_ms: card.at, t_ms, s: ++this.count, contact, after, seat }), more: false }
  }

  /** This press turns a card. */
  turn(event: Event) {
    this.turnedBy = event instanceof PointerEvent && event.pointerType === 'touch' ? event.pointerId : -1
  }

  /** Whether it is the finger that has turned a card at `turnedAt`, and may rest on it for `rest` milliseconds. */
  turns(event: Event, turnedAt: number, rest: number): boolean {
    const same = event instanceof PointerEvent && event.pointerId === this.turnedBy
    return same && performance.now() - turnedAt < Math.max(rest, SAME_HAND_MS)
  }

  private keep(slap: Slap): Slap {
    this.hands.set(slap.seat ?? undefined, slap)
    return slap
  }
}

/** When a finger came down, as the browser has it from the system, if that can be. */
function momentOf({ timeStamp }: Event): number {
  const now = performance.now()
  return timeStamp <= now && now - timeStamp <= OLD_MS ? timeStamp : now
}
