// What the oldest browsers that we build for (build/baseline.ts) lack and the page uses; others do not load this file.
import { sizeObserver } from './browser/observers'
import { CONTAINERS } from './containers'

type Missing = Record<string, (this: never, ...given: never[]) => unknown>

function define(where: object, missing: Missing) {
  for (const [name, value] of Object.entries(missing))
    if (!(name in where)) Object.defineProperty(where, name, { value, writable: true, configurable: true })
}

define(Array.prototype, {
  at(this: unknown[], index: number) {
    return this[index < 0 ? this.length + index : index]
  },
  findLastIndex(this: unknown[], test: (item: unknown, index: number) => unknown) {
    let index = this.length
    while (index--) if (test(this[index], index)) break
    return index
  },
  findLast(this: unknown[], test: (item: unknown, index: number) => unknown) {
    return this[this.findLastIndex(test)]
  },
})
define(Object, { hasOwn: (object: object, name: string) => Object.prototype.hasOwnProperty.call(object, name) })
define(Element.prototype, {
  replaceChildren(this: Element, ...children: Node[]) {
    this.textContent = ''
    this.append(...children)
  },
})

// Styles: the oldest of these browsers know neither `aspect-ratio` nor `overflow: clip`.
const RULES = [
  '@supports not (overflow: clip) { body { --clip: hidden } }',
  "@supports not (aspect-ratio: 1) { .deck::before { content: ''; display: block; padding-top: 140% } .me .deck { width: var(--deck) } }",
]
for (const rule of RULES) document.styleSheets[0]?.insertRule(rule)

// Container units: a hundredth of a box's width and height, as --cqw and --cqh.
const measure = () => {
  for (const box of document.querySelectorAll<HTMLElement>(CONTAINERS)) {
    box.style.setProperty('--cqw', `${box.clientWidth / 100}px`)
    box.style.setProperty('--cqh', `${box.clientHeight / 100}px`)
  }
}
const resized = sizeObserver(measure)
const observed = new WeakSet<Element>()
const find = () => {
  for (const box of document.querySelectorAll(CONTAINERS)) {
    if (!observed.has(box)) resized.observe(box)
    observed.add(box)
  }
}
try {
  new MutationObserver(find).observe(document.body, { childList: true, subtree: true })
} catch {} // styles have rough values for all boxes

declare global {
  interface Array<T> {
    at(index: number): T | undefined
    findLast<S extends T>(test: (item: T, index: number) => item is S): S | undefined
    findLast(test: (item: T, index: number) => unknown): T | undefined
    findLastIndex(test: (item: T, index: number) => unknown): number
  }
  interface ReadonlyArray<T> {
    at(index: number): T | undefined
    findLast<S extends T>(test: (item: T, index: number) => item is S): S | undefined
    findLast(test: (item: T, index: number) => unknown): T | undefined
    findLastIndex(test: (item: T, index: number) => unknown): number
  }
  interface ObjectConstructor {
    hasOwn(object: object, name: string): boolean
  }
}
