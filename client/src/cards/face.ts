// Card faces with a jumbo index, built as SVG nodes: the page's security policy allows no innerHTML and no style text.
import type { Card } from '../wire'
import { rankOf, suitOf } from './card'
import RANKS from './ranks.json'
import { EMBLEMS, STAR, SUITS } from './shapes'

const NS = 'http://www.w3.org/2000/svg'
const CHANCE_DOTS: Record<string, number> = { J: 1, Q: 2, K: 3, A: 4 }
const DOTS_MOST = 5 // more would run into the rank
const INDEX_HIGH = 0.6 // the rank is 58 of 140 high: readable in the fan, and from across a room
const INDEX_WIDE = 35.5 // nothing of the rank hides under the next card of the fan

type Attributes = Record<string, string | number>

export function svg(tag: string, attributes: Attributes, ...kids: Element[]): SVGElement {
  const node = document.createElementNS(NS, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value))
  node.append(...kids)
  return node
}

const drawn = new Map<string, SVGElement>()

/** A new face of 100 x 140; each reveal needs its own node. `chances` are the dots on it: how many it gives to beat it. */
export const face = (card: Card, chances = usual(card)): SVGElement =>
  drawing(card, chances).cloneNode(true) as SVGElement

/** Draws these cards in advance, one after the other, so that a turned card needs only a copy. */
export function prepare(cards: readonly Card[], chances: (card: Card) => number | undefined) {
  const [card, ...others] = cards.filter((card) => !drawn.has(nameOf(card, chances(card) ?? usual(card))))
  if (!card) return
  drawing(card, chances(card) ?? usual(card))
  setTimeout(() => prepare(others, chances))
}

const usual = (card: Card) => CHANCE_DOTS[rankOf(card)] ?? 0

const nameOf = (card: Card, chances: number) => `${card} ${chances}`

function drawing(card: Card, chances: number): SVGElement {
  const name = nameOf(card, chances)
  let node = drawn.get(name)
  if (!node) {
    drawn.set(name, (node = suitOf(card) ? draw(card) : drawJoker(card)))
    for (let i = 0; i < Math.min(chances, DOTS_MOST); i++)
      node.append(svg('circle', { cx: 91 - i * 8.4, cy: 11, r: 2.9, class: 'chance' }))
  }
  return node
}

function draw(card: Card): SVGElement {
  const rank = rankOf(card)
  const suit = suitOf(card)!
  const emblem = EMBLEMS[rank]
  const outline = (RANKS as Record<string, { w: number; d: string }>)[rank === 'T' ? '10' : rank]!
  const wide = Math.min(INDEX_HIGH, INDEX_WIDE / outline.w)
  const node = svg('svg', { viewBox: '0 0 100 140', class: `face suit-${suit}`, 'aria-hidden': 'true' })
  if (emblem) node.append(panel())
  node.append(svg('path', { d: outline.d, transform: `translate(6.5 9) scale(${wide} ${INDEX_HIGH})`, class: 'ink' }))
  node.append(place(SUITS[suit], 10, 77.5, 24, 'ink'))
  if (emblem) {
    const group = svg('g', { transform: 'translate(43 70) scale(.5 .62)', class: 'emblem' })
    for (const d of emblem) group.append(svg('path', { d, 'fill-rule': 'evenodd' }))
    node.append(group)
  } else {
    node.append(rank === 'A' ? place(SUITS[suit], 38, 78, 54, 'ink') : place(SUITS[suit], 46, 86, 45, 'ink'))
  }
  return node
}

function drawJoker(card: Card): SVGElement {
  const node = svg('svg', {
    viewBox: '0 0 100 140',
    class: `face ${card === 'JKR' ? 'suit-H' : 'suit-S'}`,
    'aria-hidden': 'true',
  })
  node.append(panel(), place(STAR, 8, 12, 32, 'ink'), place(STAR, 38, 74, 54, 'ink'))
  return node
}

const panel = () => svg('rect', { x: 3.5, y: 3.5, width: 93, height: 133, rx: 6, class: 'panel' })

function place(d: string, x: number, y: number, size: number, name: string): SVGElement {
  return svg('path', { d, transform: `translate(${x} ${y}) scale(${size / 100})`, class: name })
}
