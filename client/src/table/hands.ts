// The hands on the pile: each lands low, where the newest card's index and the fan stay readable, and says its time at
// the wrist. The first hand lies lowest. My own lands at once and is labelled when the verdict comes.
import type { TableLayout } from './table-layout'
import { handArt } from './hand-art'
import type { Appearance } from '../wire'
import { OUT, animateTo, setStyle } from './motion'
import { motionMs } from './reduced-motion'

interface Spot {
  x: number
  y: number
  turn: number
  scale: number
  label: readonly [number, number]
  /** By how many degrees the label is turned to its reader. */
  read?: number
}

/** Palms in card widths from the middle of the pile, where the fingers point in degrees, and where the label lies. */
const SPOTS: readonly Spot[] = [
  { x: 0.68, y: 0.54, turn: -8, scale: 1, label: [0.7, 0.92] },
  { x: -0.06, y: 0.78, turn: 20, scale: 1, label: [-0.06, 1.04] },
  { x: -0.6, y: 0.7, turn: 52, scale: 0.94, label: [-0.7, 0.92] },
  { x: 0.92, y: 0.98, turn: -34, scale: 0.66, label: [0.7, 1.19] },
  { x: -0.5, y: 1.02, turn: 40, scale: 0.66, label: [-0.74, 1.19] },
  { x: 0.32, y: 1.02, turn: -10, scale: 0.66, label: [0.04, 1.28] },
  { x: 0.66, y: 1.14, turn: -24, scale: 0.6, label: [0.74, 1.37] },
  { x: -0.24, y: 1.14, turn: 24, scale: 0.6, label: [-0.66, 1.37] },
]

/** Where hands lie that come from the four sides: the fingertips reach the newest card, or the fan, and cover no index. */
const SIDES: Readonly<Record<number, Spot>> = {
  0: { x: 0.48, y: 1.16, turn: 0, scale: 1, label: [-0.14, 1.06], read: 0 },
  90: { x: -1.37, y: 0.1, turn: 90, scale: 1, label: [-1.24, -0.52], read: 90 },
  180: { x: 0.48, y: -1.16, turn: 180, scale: 1, label: [1.1, -1.06], read: 180 },
  270: { x: 1.35, y: 0, turn: 270, scale: 1, label: [1.22, 0.62], read: 270 },
}

const HOLD_MS = 620 // from the last hand to the pile's leaving
const MOST_MS = 1600 // my hand leaves if no verdict comes
const GAP_MS = 70
const PASSING_MS = 320
const FEINT_MS = 210
const SPREAD_MS = 420

export type Verdict = 'good' | 'late' | 'wrong'

export interface Label {
  who: string
  time: string
}

interface Hand {
  seat: number
  spot: Spot
  root: HTMLElement
  tag: HTMLElement | null
  timer: number
}

export class Hands {
  /** How the hand of a seat looks. */
  appearance: (seat: number) => Appearance = (seat) => ({ hue: seat % 8, shape: 'palm' })
  private hands: Hand[] = []
  private until = 0

  constructor(
    private readonly layer: HTMLElement,
    private readonly labels: HTMLElement,
    private readonly layout: TableLayout,
  ) {}

  /** My own slap, before anybody has judged it. */
  mine(seat: number) {
    if (!this.unjudged(seat)) this.land(seat, this.free(seat, 0), 0)
  }

  /** The hands of a race in their order, as far apart as they were. */
  judged(order: readonly { seat: number; us: number; label: Label }[], landed: () => void) {
    const first = order[0]?.us ?? 0
    let delay = 0
    order.forEach(({ seat, us, label }, i) => {
      const there = this.unjudged(seat)
      if (i) delay = Math.min(SPREAD_MS + i * 20, Math.max(delay + GAP_MS, (us - first) / 1000))
      if (!there && !i) landed()
      const hand = there ?? this.land(seat, this.free(seat, i), motionMs(delay), i ? landed : undefined)
      hand.root.style.zIndex = String(i + 1)
      this.say(hand, label, 'good', there ? 0 : motionMs(delay), i === 0)
      this.leaveIn(hand, MOST_MS + delay)
    })
    this.until = performance.now() + delay + HOLD_MS
  }

  /** Hands without a time; those that are already there stay. */
  down(seats: readonly number[], landed: () => void) {
    for (const seat of seats) {
      if (this.hands.some((hand) => hand.seat === seat)) continue
      this.land(seat, this.free(seat, 0), 0)
      landed()
    }
  }

  /** A feint: the hand comes like any other, and leaves at once. */
  feint(seat: number) {
    if (!this.hands.some((hand) => hand.seat === seat)) this.leaveIn(this.land(seat, this.free(seat, 0), 0), FEINT_MS)
  }

  /** A hand that changes nothing: it came late, or slapped where there was nothing. */
  aside(seat: number, label: Label, verdict: Verdict) {
    const hand = this.unjudged(seat) ?? this.land(seat, this.free(seat, 1), 0)
    this.say(hand, label, verdict, 0)
    this.leaveIn(hand, 1100)
  }

  /** My slap had no effect at all. */
  withdraw(seat: number) {
    const hand = this.unjudged(seat)
    if (hand) this.lift(hand)
  }

  /** How long the hands of a race stay visible, in milliseconds. */
  busyFor(): number {
    return this.hands.length ? Math.max(0, this.until - performance.now()) : 0
  }

  /** Makes the hands on the previous card leave, for a new one. */
  makeWay() {
    for (const hand of this.hands) if (hand.tag) this.leaveIn(hand, PASSING_MS)
  }

  leave() {
    for (const hand of [...this.hands]) this.lift(hand)
  }

  clear() {
    for (const hand of this.hands) clearTimeout(hand.timer)
    this.hands = []
    this.layer.replaceChildren()
    this.labels.replaceChildren()
  }

  /** A seat's hand that waits for its verdict; one that has it leaves. */
  private unjudged(seat: number): Hand | undefined {
    const hand = this.hands.find((other) => other.seat === seat)
    if (!hand?.tag) return hand
    this.lift(hand)
    return undefined
  }

  private free(seat: number, first: number): Spot {
    const side = SIDES[this.layout.side(seat) ?? -1]
    if (side) return side
    const taken = new Set(this.hands.map((hand) => hand.spot))
    return SPOTS.slice(first).find((spot) => !taken.has(spot)) ?? SPOTS[taken.has(SPOTS[0]!) ? SPOTS.length - 1 : 0]!
  }

  private land(seat: number, spot: Spot, delay: number, landed?: () => void): Hand {
    if (!this.layout.card) this.layout.measure()
    const root = document.createElement('div')
    const turning = document.createElement('div')
    const hand: Hand = { seat, spot, root, tag: null, timer: 0 }
    const { hue, shape } = this.appearance(seat)
    root.className = `hand hue-${hue}`
    turning.className = 'turning'
    turning.append(handArt(shape))
    root.append(turning)
    this.layer.append(root)
    this.hands.push(hand)
    turning.style.transform = `rotate(${spot.turn}deg)`
    const there = this.place(spot, 0, 1)
    setStyle(root, { transform: this.place(spot, 0.55, 1.15), opacity: 0 })
    void animateTo(
      root,
      [
        { transform: there, opacity: 1, offset: 0.55, easing: 'linear' },
        { transform: this.place(spot, 0, 0.96), opacity: 1, offset: 0.75, easing: OUT },
        { transform: there, opacity: 1 },
      ],
      150,
      delay,
    )
    if (landed) setTimeout(landed, delay)
    this.leaveIn(hand, MOST_MS + delay)
    return hand
  }

  /** The transform of a spot, `back` card widths towards the arm, so that no hand crosses the card. */
  private place({ x, y, turn, scale: size }: Spot, back: number, scale: number): string {
    const unit = this.layout.card
    const arm = (turn * Math.PI) / 180
    const px = (x - Math.sin(arm) * back) * unit
    const py = (y + Math.cos(arm) * back) * unit
    return `translate3d(${px.toFixed(1)}px,${py.toFixed(1)}px,0) scale(${(size * scale).toFixed(3)})`
  }

  private say(hand: Hand, label: Label, verdict: Verdict, delay: number, first = false) {
    hand.root.classList.toggle('grey', verdict !== 'good')
    const tag = (hand.tag ??= this.labels.appendChild(document.createElement('div')))
    const who = document.createElement('span')
    const time = document.createElement('b')
    who.dir = 'auto'
    tag.translate = false
    who.textContent = label.who
    time.textContent = label.time
    tag.className = `tag ${verdict}${first ? ' first' : ''}`
    tag.replaceChildren(who, time)
    const { label: place, read = 0 } = hand.spot
    const [x, y] = place
    const unit = this.layout.card
    const down = y < 1.1 ? Math.min(y * unit, this.layout.low) : y * unit // only a crowd reaches below the stage
    setStyle(tag, {
      transform: `translate(${(x * unit).toFixed(1)}px,${down.toFixed(1)}px) translate(-50%,-50%) rotate(${read}deg)`,
      opacity: 0,
    })
    void animateTo(tag, [{ opacity: 1 }], 80, delay)
  }

  private leaveIn(hand: Hand, ms: number) {
    clearTimeout(hand.timer)
    hand.timer = window.setTimeout(() => this.lift(hand), ms)
  }

  private lift(hand: Hand) {
    clearTimeout(hand.timer)
    this.hands = this.hands.filter((other) => other !== hand)
    const away = this.place(hand.spot, 0.2, 1)
    const { tag } = hand
    if (tag) void animateTo(tag, [{ opacity: 0 }], 170).then(() => tag.remove())
    void animateTo(hand.root, [{ transform: away, opacity: 0, easing: 'ease-in' }], 170).then(() => hand.root.remove())
  }
}
