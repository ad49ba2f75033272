// Card faces that are read from all four sides: a rank in each corner, upright for the player there. A 6 and a 9
// have a line below them, because each is the other from across the table.
import { rankOf, suitOf } from '../cards/card'
import { svg } from '../cards/face'
import RANKS from '../cards/ranks.json'
import { EMBLEMS, STAR, SUITS } from '../cards/shapes'
import type { Card } from '../wire'

const HIGH = 0.44 // of the outlines, which are 100 high: an index is 44 of 140
const WIDE_MOST = 31
const LEFT = 7
const TOP = 9
const LINED = new Set(['6', '9'])

const drawn = new Map<Card, SVGElement>()

/** A new face of 100 x 140. */
export function cornerFace(card: Card): SVGElement {
  const node = drawn.get(card) ?? draw(card)
  drawn.set(card, node)
  return node.cloneNode(true) as SVGElement
}

function draw(card: Card): SVGElement {
  const suit = suitOf(card)
  const emblem = EMBLEMS[rankOf(card)]
  const red = card === 'JKR' ? 'suit-H' : 'suit-S'
  const node = svg('svg', {
    viewBox: '0 0 100 140',
    class: `face ${suit ? `suit-${suit}` : red}`,
    'aria-hidden': 'true',
  })
  if (emblem || !suit) node.append(svg('rect', { x: 3.5, y: 3.5, width: 93, height: 133, rx: 6, class: 'panel' }))
  for (const corner of CORNERS) node.append(svg('g', { transform: corner, class: 'ink' }, ...index(card)))
  const middle = { transform: 'translate(35 55) scale(.3)', class: emblem ? 'emblem' : 'ink' }
  const drawing = emblem ?? [suit ? SUITS[suit] : STAR]
  node.append(svg('g', middle, ...drawing.map((d) => svg('path', { d, 'fill-rule': 'evenodd' }))))
  return node
}

/** From the upper left corner to each of the four, turned to the player below, left, above, right. */
const CORNERS = ['', 'translate(100 0) rotate(90)', 'rotate(180 50 70)', 'translate(0 140) rotate(270)'] as const

function index(card: Card): SVGElement[] {
  const suit = suitOf(card)
  if (!suit) return [svg('path', { d: STAR, transform: `translate(${LEFT} ${TOP}) scale(.3)` })]
  const rank = rankOf(card)
  const outline = (RANKS as Record<string, { w: number; d: string }>)[rank === 'T' ? '10' : rank]!
  const across = Math.min(HIGH, WIDE_MOST / outline.w)
  const parts = [svg('path', { d: outline.d, transform: `translate(${LEFT} ${TOP}) scale(${across} ${HIGH})` })]
  if (LINED.has(rank))
    parts.push(svg('rect', { x: LEFT, y: TOP + HIGH * 100 + 2.5, width: outline.w * across, height: 4.5, rx: 1 }))
  return parts
}
