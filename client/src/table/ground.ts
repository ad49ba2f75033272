// Where things lie on the table, in pixels from the middle of the pile. Layout is read on resize only, never per card.

export interface Place {
  x: number
  y: number
  turn: number
  scale: number
}

/** The newest card first, in card widths and degrees. It never moves: the eye stays there while the others step aside. */
const SLOTS = [
  { x: 0.48, y: 0, turn: 1.5, scale: 1 },
  { x: 0.06, y: 0.02, turn: -2, scale: 0.84 },
  { x: -0.28, y: 0.04, turn: -5, scale: 0.82 },
  { x: -0.6, y: 0.085, turn: -9, scale: 0.8 },
] as const

export const SHOWN = SLOTS.length

export class Ground {
  /** The width of a card. */
  card = 0
  /** How far below the middle a label may lie without leaving the stage. */
  low = 0
  private decks = new Map<number, Place>()

  constructor(
    private readonly stage: HTMLElement,
    private readonly middle: HTMLElement,
    private readonly deckOf: (seat: number) => Element | null,
  ) {}

  measure() {
    this.decks.clear()
    this.card = this.middle.querySelector<HTMLElement>('.thick')!.offsetWidth
    this.low = this.stage.clientHeight - this.middle.offsetTop - 18
  }

  slot(i: number): Place {
    const slot = SLOTS[Math.min(i, SHOWN - 1)]!
    return { ...slot, x: slot.x * this.card, y: slot.y * this.card }
  }

  deck(seat: number): Place {
    let place = this.decks.get(seat)
    if (!place) {
      const origin = this.middle.getBoundingClientRect()
      const deck = this.deckOf(seat)?.getBoundingClientRect() ?? origin
      place = {
        x: deck.x + deck.width / 2 - origin.x,
        y: deck.y + deck.height / 2 - origin.y,
        turn: 0,
        scale: Math.min(1, deck.width / this.card) || 0.3,
      }
      this.decks.set(seat, place)
    }
    return place
  }
}

export function at({ x, y, turn, scale }: Place): string {
  return `translate3d(${x.toFixed(1)}px,${y.toFixed(1)}px,0) rotate(${turn.toFixed(1)}deg) scale(${scale.toFixed(3)})`
}
