// A drawn hand in a box of 100 x 120, its fingers up. Nothing in this file knows whose it is.
import { svg } from '../cards/face'

const FINGERS = ['M31 66L23 30', 'M45 62L43 16', 'M60 62L62 18', 'M73 68L80 34', 'M36 96L12 68', 'M38 74H66V98H42Z']
const CUFF = 'M34 108H73V118H34Z'

let drawn: SVGElement | null = null

/** Two passes of round strokes, a dark outline and then the skin; the shadow is drawn, not filtered: it moves. */
export function handArt(): SVGElement {
  drawn ??= svg(
    'svg',
    { viewBox: '0 0 100 120', class: 'hand-art', 'aria-hidden': 'true' },
    strokes('shade'),
    strokes('line'),
    svg('path', { d: CUFF, class: 'cuff' }),
    strokes('skin'),
  )
  return drawn.cloneNode(true) as SVGElement
}

function strokes(name: string): SVGElement {
  return svg('g', { class: name }, ...FINGERS.map((d) => svg('path', { d })))
}
