// Positions on the table, in pixels from the middle of the pile. Layout is read on resize only, never per card.

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
  private decks = new Map<number, Place>()

  constructor(
    private readonly stage: HTMLElement,
    private readonly middle: HTMLElement,
    private readonly deckOf: (seat: number) => HTMLElement | null,
    private readonly orientation: Orientation,
  ) {}

  /** Measures the layout; true if the card size has changed, so that pixel positions are stale. */
  measure(): boolean {
    const before = this.card
    this.forgetDecks()
    this.card = this.middle.querySelector<HTMLElement>('.thick')!.offsetWidth
    this.low = this.stage.clientHeight - this.middle.offsetTop - 18
    return this.card !== before
  }

  /** Forgets the decks' positions, to be measured again. */
  forgetDecks() {
    this.decks.clear()
  }

  slot(i: number): Place {
    const slot = SLOTS[Math.min(i, VISIBLE_CARDS - 1)]!
    return { ...slot, x: slot.x * this.card, y: slot.y * this.card }
  }

  deck(seat: number): Place {
    let place = this.decks.get(seat)
    if (!place) {
      const deck = this.deckOf(seat)
      const { x, y } = this.apart(deck ?? this.middle)
      const scale = deck ? deck.offsetWidth / this.card : 0
      place = { x, y, turn: this.side(seat) ?? 0, scale: Math.min(1, scale) || 0.3 }
      this.decks.set(seat, place)
    }
    return place
  }

  side(seat: number): number | undefined {
    return this.orientation.side?.(seat)
  }

  /** The middle of an element, in the table's orientation. */
  private apart(element: HTMLElement): { x: number; y: number } {
    const [there, origin] = [element.getBoundingClientRect(), this.middle.getBoundingClientRect()]
    return rotate({ x: there.x + there.width / 2 - origin.x, y: there.y + there.height / 2 - origin.y }, -(this.orientation.turned ?? 0))
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
