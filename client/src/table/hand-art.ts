// The drawings of hands, each in a box of 100 x 120, pointing up. Their outlines differ as much as their colours, so
// that players who cannot tell the colours apart know a hand by its shape.
import { svg } from '../cards/face'
import type { Appearance } from '../wire'

export type Shape = Appearance['shape']

interface Art {
  /** How thick the strokes are that make up the hand; few for one that is an outline already. */
  thick: number
  strokes: readonly string[]
  /** Dark lines on it. */
  lines?: { thick: number; d: string }
  cuff?: string
}

const ART: Record<Shape, Art> = {
  palm: {
    thick: 14.5,
    strokes: ['M31 66L23 30', 'M45 62L43 16', 'M60 62L62 18', 'M73 68L80 34', 'M36 96L12 68', 'M38 74H66V98H42Z'],
    cuff: 'M34 108H73V118H34Z',
  },
  paw: {
    thick: 25,
    strokes: ['M22 56L36 86', 'M42 38L46 76', 'M64 38L60 76', 'M84 56L70 86', 'M38 84H68V106H38Z'],
    lines: { thick: 10, d: 'M21 54L23 59M42 36V42M64 36V42M85 54L83 59M45 91C47 80 59 80 61 91Z' },
  },
  claw: {
    thick: 5,
    strokes: [
      'M44 86C30 70 12 56 3 22C26 36 44 52 53 76Z',
      'M43 78C41 52 45 28 53 2C63 28 65 52 63 78Z',
      'M53 78C62 54 76 40 98 28C94 54 80 72 64 88Z',
      'M42 94C30 92 18 98 8 112C12 90 26 76 46 80Z',
      'M40 74H66L62 117H44Z',
    ],
    lines: { thick: 3.5, d: 'M46 98H61M46 107H60' },
  },
  wing: {
    thick: 5,
    strokes: [
      'M30 116C2 86 8 30 66 6C75 2 82 8 78 17C90 11 101 20 94 31C91 36 86 40 82 42C94 38 102 49 94 58C90 62 84 65 80 65C91 65 95 77 86 83C80 87 74 87 71 86C79 92 75 103 62 104C52 104 46 108 44 116Z',
    ],
    lines: {
      thick: 3.5,
      d: 'M74 22C60 30 46 38 38 50M78 45C64 50 52 56 42 66M76 67C64 70 54 74 46 82M66 87C58 88 52 92 48 98',
    },
  },
  glove: {
    thick: 6,
    strokes: ['M33 98V44C33 6 82 6 82 44V98Z', 'M40 98C26 90 6 76 8 62C10 52 22 52 27 60L40 78Z'],
    lines: { thick: 3.5, d: 'M48 52V68M58 49V66M68 52V68' },
    cuff: 'M28 98H87V119H28Z',
  },
  leaf: {
    thick: 6,
    strokes: [
      'M52 100C34 102 14 88 8 62C16 64 18 62 20 58C14 50 14 38 18 28C26 32 30 30 32 26C38 18 46 10 52 2C58 10 66 18 72 26C74 30 78 32 86 28C90 38 90 50 84 58C86 62 88 64 96 62C90 88 70 102 52 100Z',
      'M52 98L48 117',
    ],
    lines: { thick: 3.5, d: 'M52 26V100M52 54L34 42M52 54L70 42M52 82L28 72M52 82L76 72' },
  },
}

export const SHAPES = Object.keys(ART) as Shape[]

const drawn = new Map<Shape, SVGElement>()

/** Draws a hand before what an element has already; for `@attach`, which draws another one if the shape changes. */
export const handInFront = (shape: Shape) => (node: HTMLElement) => {
  const art = handArt(shape)
  node.prepend(art)
  return () => art.remove()
}

/** Two passes of round strokes, a dark outline and then the skin; the shadow is drawn, not filtered: it moves. */
export function handArt(shape: Shape = 'palm'): SVGElement {
  const art = drawn.get(shape) ?? draw(shape, ART[shape])
  drawn.set(shape, art)
  return art.cloneNode(true) as SVGElement
}

function draw(shape: Shape, { thick, strokes, lines, cuff }: Art): SVGElement {
  const pass = (name: string, more: number) =>
    svg('g', { class: name, 'stroke-width': thick + more }, ...strokes.map((d) => svg('path', { d })))
  const box = { viewBox: '0 0 100 120', class: 'hand-art', 'data-shape': shape, 'aria-hidden': 'true' }
  const sleeve = cuff ? [svg('path', { d: cuff, class: 'cuff' })] : []
  const marks = lines ? [svg('path', { d: lines.d, class: 'fine', 'stroke-width': lines.thick })] : []
  return svg('svg', box, pass('shade', 9.5), pass('line', 5.5), ...sleeve, pass('skin', 0), ...marks)
}
