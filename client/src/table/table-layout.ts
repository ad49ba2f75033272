// Positions on the table, in pixels from the middle of the pile. Layout is read when something has changed its size, never
// per card.

import { sizeObserver } from '../browser/observers'

export interface Place {
  x: number
  y: number
  turn: number
  scale: number
}

/** A table's orientation to its players. */
export interface Orientation {
  /** Its rotation on the screen, in degrees. */
  turned?: number
  /** A seat's side, if not all are below: 0 below, 90 left, 180 above, 270 right. */
  side?(seat: number): number | undefined
}

/** The newest card first, in card widths and degrees. It never moves: the eye stays there while the others step aside. */
const SLOTS = [
  { x: 0.48, y: 0, turn: 1.5, scale: 1 },
  { x: 0.06, y: 0.02, turn: -2, scale: 0.84 },
  { x: -0.28, y: 0.04, turn: -5, scale: 0.82 },
  { x: -0.6, y: 0.085, turn: -9, scale: 0.8 },
] as const

export const VISIBLE_CARDS = SLOTS.length

export class TableLayout {
  /** The width of a card. */
  card = 0
  /** How far below the middle a label may lie without leaving the stage. */
  low = 0
  private readonly decks = new Map<number, { element: HTMLElement | null; place: Place }>()
  /** Contains the stage and all decks. */
  private readonly table: HTMLElement
  private readonly resized = sizeObserver(() => this.measureDecks())

  constructor(
    private readonly stage: HTMLElement,
    private readonly middle: HTMLElement,
    private readonly orientation: Orientation,
  ) {
    this.table = stage.parentElement!
    this.table.addEventListener('scrollend', () => this.forgetDecks(), true) // of seats that scroll
  }

  /** Measures the layout; true if the card size has changed, so that pixel positions are stale. */
  measure(): boolean {
    const before = this.card
    this.forgetDecks()
    this.card = this.middle.querySelector<HTMLElement>('.thick')!.offsetWidth
    this.low = this.stage.clientHeight - this.middle.offsetTop - 18
    return this.card !== before
  }

  /** Forgets the decks, and observes nothing around them until they are needed again. */
  forgetDecks() {
    this.decks.clear()
    this.resized.disconnect()
  }

  slot(i: number): Place {
    const slot = SLOTS[Math.min(i, VISIBLE_CARDS - 1)]!
    return { ...slot, x: slot.x * this.card, y: slot.y * this.card }
  }

  deck(seat: number): Place {
    let deck = this.decks.get(seat)
    if (!deck) {
      const element = this.table.querySelector<HTMLElement>(`[data-deck="${seat}"]`)
      this.decks.set(seat, (deck = { element, place: this.placeOf(seat, element) }))
      if (element) this.observe(element)
    }
    return deck.place
  }

  /** Observes what moves a deck when it changes its size, also if the stage keeps its own: words beside the deck, its
      seat, other seats. */
  private observe(deck: HTMLElement) {
    for (let box = deck.parentElement!; box !== this.table; box = box.parentElement!) {
      for (const each of [box, ...box.children]) this.resized.observe(each)
    }
  }

  /** Measures the decks again, between the browser's layout and its painting: that costs no other layout. */
  private measureDecks() {
    for (const [seat, deck] of this.decks) {
      if (deck.element?.isConnected) deck.place = this.placeOf(seat, deck.element)
      else this.decks.delete(seat)
    }
  }

  private placeOf(seat: number, deck: HTMLElement | null): Place {
    const { x, y } = this.apart(deck ?? this.middle)
    const scale = deck ? deck.offsetWidth / this.card : 0
    return { x, y, turn: this.side(seat) ?? 0, scale: Math.min(1, scale) || 0.3 }
  }

  side(seat: number): number | undefined {
    return this.orientation.side?.(seat)
  }

  /** The middle of an element, in the table's orientation. */
  private apart(element: HTMLElement): { x: number; y: number } {
    const [there, origin] = [element.getBoundingClientRect(), this.middle.getBoundingClientRect()]
    return rotate(
      { x: there.x + there.width / 2 - origin.x, y: there.y + there.height / 2 - origin.y },
      -(this.orientation.turned ?? 0),
    )
  }
}

/** A point turned about the middle. */
export function rotate({ x, y }: { x: number; y: number }, degrees: number): { x: number; y: number } {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return { x: x * cos - y * sin, y: x * sin + y * cos }
}

export function transformOf({ x, y, turn, scale }: Place): string {
  return `translate3d(${x.toFixed(1)}px,${y.toFixed(1)}px,0) rotate(${turn.toFixed(1)}deg) scale(${scale.toFixed(3)})`
}
