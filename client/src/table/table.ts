// The cards on the table: each one is an element moved by transform and opacity only, so that motion runs beside the
// page's own work. Contains no rules, and no framework delays a revealed card.
import { sizeObserver } from '../browser/observers'
import { CARDS } from '../cards/card'
import { face, prepare } from '../cards/face'
import type { Card, VisibleCard } from '../wire'
import { VISIBLE_CARDS, TableLayout, transformOf, type Orientation, type Place } from './table-layout'
import { Hands } from './hands'
import { OUT, SETTLE, THROW, animateTo, setStyle } from './motion'
import { motionMs } from './reduced-motion'
import { afterPaint } from '../browser/after-paint'

const FLIGHT_MS = 150 // of a card, of those that make room for it, and until it has settled
const TAKE_MS = 460
const TAKE_GAP_MS = 28
const HAND_GAP_MS = 90
const BURN_MS = 1150
const BURN_GAP_MS = 160
const BACK_MS = 620
/** A table's orientation, and how its cards look. */
export interface TableOptions extends Orientation {
  face?: typeof face
}

const LEAN = 13 // degrees by which a dead or burned card is tilted

export class Table {
  readonly hands: Hands
  /** How many chances a card gives in this house. */
  chances?: (card: Card) => number
  private readonly layout: TableLayout
  private readonly middle: HTMLElement
  private readonly thick: HTMLElement
  private readonly under: HTMLElement
  private readonly cards: HTMLElement
  private readonly above: HTMLElement
  private pile: HTMLElement[] = [] // newest first; one more than are shown, on its way out
  private flying: HTMLElement | null = null
  private waiting: { timer: number; run: () => void } | null = null
  private readonly resized = sizeObserver(() => this.relayout())

  /** `stage`: its parent contains the decks too, each with its seat as `data-deck`. */
  constructor(
    stage: HTMLElement,
    private readonly looks: TableOptions = {},
  ) {
    this.middle = box('middle', stage)
    this.under = box('layer', this.middle)
    this.thick = box('thick', this.middle)
    this.thick.dataset.thick = '0'
    this.cards = box('layer', this.middle)
    this.above = box('layer', this.middle)
    this.layout = new TableLayout(stage, this.middle, looks)
    this.hands = new Hands(box('layer', this.middle), box('layer', this.middle), this.layout)
    this.resized.observe(stage)
  }

  /** Observes sizes no longer. */
  close() {
    this.resized.disconnect()
    this.layout.forgetDecks()
  }

  /** Shows the pile without animation: at the start, or after a reload or reconnect. */
  lay(pile: readonly VisibleCard[]) {
    if (this.waiting) clearTimeout(this.waiting.timer)
    this.waiting = this.flying = null
    this.hands.clear()
    for (const layer of [this.under, this.cards, this.above]) layer.replaceChildren()
    this.pile = []
    this.fill(pile)
    this.relayout()
    prepare(CARDS, (card) => this.chances?.(card))
  }

  /** Moves a card from its deck face down; the last cards step aside, so that the newest stays readable meanwhile. */
  fly(seat: number) {
    this.ready()
    const deck = this.layout.deck(seat) // measured before anything moves, or the browser has to lay out the page for it
    this.dropFlight()
    this.shift(1)
    const element = (this.flying = this.make(this.cards))
    setStyle(element, { transform: transformOf(deck) })
    void animateTo(element, [{ transform: transformOf(this.layout.slot(0)), easing: THROW }], FLIGHT_MS)
  }

  /** A feint: the card moves like any other, and back. */
  feint(seat: number) {
    if (this.flying) return
    this.fly(seat)
    const pretended = this.flying
    setTimeout(() => this.flying === pretended && this.goBack(seat), motionMs(FLIGHT_MS))
  }

  /** Moves the card in the air back: another player slapped first. */
  goBack(seat: number) {
    const element = this.flying
    if (!element) return
    this.flying = null
    void animateTo(element, [{ transform: transformOf(this.layout.deck(seat)) }], FLIGHT_MS).then(() =>
      element.remove(),
    )
    this.shift(0)
  }

  /** Moves the newest live card, which came after the slap, back to its owner; the pile below is as before. */
  withdraw(seat: number, pile: readonly VisibleCard[]) {
    this.ready()
    this.dropFlight()
    const fallen = this.pile.splice(0, 1 + this.pile.findIndex((element) => !element.dataset.lean))
    const back = fallen.pop()
    for (const element of fallen) element.remove() // cards burned onto it are at the bottom now
    this.fill(pile)
    this.shift(0)
    if (!back) return
    const place = this.layout.deck(seat)
    const deck = { ...place, turn: place.turn - 14 }
    const lifted = { ...this.layout.slot(0), turn: -9, scale: 1.06 }
    const frames = [
      { transform: transformOf(lifted), opacity: 1, offset: 0.4, easing: THROW },
      { transform: transformOf(deck), opacity: 1, offset: 0.92 },
      { transform: transformOf(deck), opacity: 0 },
    ]
    void animateTo(back, frames, BACK_MS).then(() => back.remove())
  }

  /** Shows the face whole, in one frame, at full size, always in the same place. */
  reveal(card: Card, depth: number, painted?: () => void) {
    this.ready()
    if (!this.flying) this.shift(1)
    const element = this.flying ?? this.make(this.cards)
    this.flying = null
    this.turnUp(element, [card, 'live'])
    this.hands.makeWay()
    this.onTop(element, depth)
    if (painted) afterPaint(painted)
  }

  /** Puts a dead or burned card on top, tilted and dimmed. */
  spoil(seat: number, shown: VisibleCard, depth: number) {
    this.ready()
    this.shift(this.flying ? 0 : 1)
    const element = this.make(this.cards)
    this.turnUp(element, shown)
    setStyle(element, { transform: transformOf(this.layout.deck(seat)) })
    if (this.flying) this.cards.append(this.flying)
    this.onTop(element, depth)
  }

  private onTop(element: HTMLElement, depth: number) {
    const slot = this.slot(element, 0)
    if (!element.dataset.lean) setStyle(element, { transform: transformOf({ ...slot, scale: 1.05 }) })
    void animateTo(element, [{ transform: transformOf(slot), easing: SETTLE }], FLIGHT_MS)
    this.pile.unshift(element)
    for (const gone of this.pile.splice(VISIBLE_CARDS)) gone.remove()
    this.depth(depth)
  }

  /** Slides burned cards crosswise under the pile; they peek out below before they disappear. */
  burn(seat: number, burned: readonly VisibleCard[], depth: number) {
    this.ready()
    const unit = this.layout.card
    burned.forEach((shown, i) => {
      const element = this.make(this.under)
      this.turnUp(element, shown)
      setStyle(element, { transform: transformOf(this.layout.deck(seat)), opacity: 0 })
      const peek: Place = { x: -0.16 * unit, y: 0.54 * unit, turn: -84, scale: 0.84 }
      const gone: Place = { ...peek, y: 0.12 * unit, turn: -88 }
      const frames = [
        { transform: transformOf(peek), opacity: 1, offset: 0.3, easing: 'linear' },
        { transform: transformOf(peek), opacity: 1, offset: 0.76, easing: 'ease-in' },
        { transform: transformOf(gone), opacity: 1, offset: 0.97, easing: 'linear' },
        { transform: transformOf(gone), opacity: 0 },
      ]
      const start = { transform: transformOf(this.layout.deck(seat)), opacity: 1, offset: 0, easing: OUT }
      void animateTo(element, [start, ...frames], BURN_MS, i * BURN_GAP_MS).then(() => element.remove())
    })
    this.depth(depth)
  }

  /** Moves the pile to a deck, after the hands on it have been seen; the next card does not wait for that. `streak`: how
      many piles in a row, if that is to be shown. */
  take(seat: number, count: number, shown: () => void, streak = 0) {
    this.ready()
    const run = () => {
      this.waiting = null
      this.hands.leave()
      this.sweep(seat, count)
      void flourish(({ showGain }) =>
        showGain(this.middle, this.layout.deck(seat), count, streak, this.hands.appearance(seat).hue),
      )
      shown()
    }
    const wait = this.hands.busyFor()
    if (wait) this.waiting = { timer: window.setTimeout(run, wait), run }
    else run()
  }

  /** Shows who has won: all cards fanned, and the winner's hand that stamps them down. */
  celebrate(seat: number) {
    const appearance = this.hands.appearance(seat)
    void flourish(({ showWin }) => showWin(this.middle, appearance))
  }

  /** The pile flinches from my wrong slap. */
  flinch() {
    void flourish(({ showFlinch }) => showFlinch(this.middle))
  }

  /** Moves cards face down from one deck to another, one after the other. */
  hand(from: number, to: number, count: number, wait: number) {
    this.ready()
    for (let i = 0; i < Math.min(count, 6); i++) {
      const element = this.make(this.above)
      setStyle(element, { transform: transformOf(this.layout.deck(from)), opacity: 0 })
      const start = { transform: transformOf(this.layout.deck(from)), opacity: 1, offset: 0, easing: THROW }
      const frames = [
        start,
        { transform: transformOf(this.layout.deck(to)), opacity: 1, offset: 0.92 },
        { transform: transformOf(this.layout.deck(to)), opacity: 0 },
      ]
      void animateTo(element, frames, TAKE_MS, wait + i * HAND_GAP_MS).then(() => element.remove())
    }
  }

  /** Lays out the pile again. In the middle of a card's flight this stops it. */
  relayout() {
    if (this.layout.measure()) this.hands.clear()
    this.pile.forEach((element, i) => setStyle(element, { transform: transformOf(this.slot(element, i)), opacity: 1 }))
    if (this.flying) setStyle(this.flying, { transform: transformOf(this.layout.slot(0)) })
  }

  /** Adds the missing visible cards of this pile below those on the table. */
  private fill(pile: readonly VisibleCard[]) {
    const first = pile.findIndex(([, kind]) => kind === 'live') // what lies below it is burned, and under the pile
    const seen = pile.slice(Math.max(first, 0)).slice(-VISIBLE_CARDS).reverse()
    for (const shown of seen.slice(this.pile.length)) {
      const element = this.make(this.cards)
      this.cards.prepend(element)
      this.turnUp(element, shown)
      setStyle(element, { transform: transformOf(this.slot(element, this.pile.length)) })
      this.pile.push(element)
    }
    this.depth(pile.length)
  }

  private sweep(seat: number, count: number) {
    this.dropFlight()
    const deck = this.layout.deck(seat)
    const extra = Math.min(14, Math.max(0, count - this.pile.length))
    const swept = [...this.pile].reverse()
    for (let i = 0; i < extra; i++) {
      const element = this.make(this.under)
      setStyle(element, { transform: transformOf({ ...this.layout.slot(2), turn: i * 3 - 6 }) })
      swept.unshift(element)
    }
    this.pile = []
    this.depth(0)
    swept.forEach((element, i) => {
      const gather = transformOf({ ...this.layout.slot(1), turn: i % 2 ? 3 : -3 })
      const landed = transformOf({ ...deck, turn: deck.turn + i * 4 - 8 })
      const delay = i * TAKE_GAP_MS
      const rest = (swept.length - 1 - i) * TAKE_GAP_MS // all are removed in one frame
      const front = element.querySelector<SVGElement>('.face')
      if (front)
        void animateTo(
          front,
          [{ opacity: 1, offset: 0, easing: 'steps(1,end)' }, { opacity: 0, offset: 0.42 }, { opacity: 0 }],
          TAKE_MS,
          delay,
          rest,
        )
      void animateTo(
        element,
        [
          { transform: gather, opacity: 1, offset: 0.42, easing: 'cubic-bezier(.5,0,.3,1)' },
          { transform: landed, opacity: 1, offset: 0.95, easing: 'linear' },
          { transform: transformOf(deck), opacity: 0 },
        ],
        TAKE_MS,
        delay,
        rest,
      ).then(() => element.remove())
    })
  }

  /** Moves every visible card by `by` places; one without a place fades out. */
  private shift(by: number) {
    this.pile.forEach((element, i) => {
      const shown = i + by < VISIBLE_CARDS
      void animateTo(
        element,
        [{ transform: transformOf(this.slot(element, i + by)), opacity: shown ? 1 : 0, easing: OUT }],
        FLIGHT_MS,
      )
    })
  }

  /** The place of a card of the pile; a dead or burned one is tilted. */
  private slot(element: HTMLElement, i: number): Place {
    const slot = this.layout.slot(i)
    return { ...slot, turn: slot.turn + Number(element.dataset.lean ?? 0) }
  }

  private turnUp(element: HTMLElement, [card, kind]: VisibleCard) {
    if (card) {
      element.replaceChildren((this.looks.face ?? face)(card, this.chances?.(card)))
      element.dataset.card = card
    }
    if (kind === 'live') return
    element.classList.add('spoilt')
    element.dataset.lean = String(kind === 'dead' ? LEAN : -LEAN)
  }

  private ready() {
    if (!this.layout.card) this.layout.measure()
    if (!this.waiting) return
    clearTimeout(this.waiting.timer)
    this.waiting.run()
  }

  private dropFlight() {
    this.flying?.remove()
    this.flying = null
  }

  private depth(count: number) {
    this.thick.dataset.thick = String(count ? Math.min(6, Math.ceil(count / 4)) : 0)
  }

  private make(layer: HTMLElement): HTMLElement {
    return box('card', layer)
  }
}

/** Runs what only adorns the table, as soon as it is loaded; without it nothing is missing. */
const flourish = (show: (loaded: typeof import('./flourish')) => void) =>
  import('./flourish').then(show).catch(() => undefined)

function box(name: string, parent: HTMLElement): HTMLElement {
  const element = document.createElement('div')
  element.className = name
  parent.append(element)
  return element
}
