// A part of a page that cannot be loaded is left out, or says so: without a {:catch} it would be an error of the page.
import { parse } from 'svelte/compiler'
import { expect, test } from 'vitest'

const COMPONENTS = import.meta.glob<string>('./**/*.svelte', { query: '?raw', import: 'default', eager: true })

/** The parts that a component loads in its template, each with whether it has a {:catch}. The formatter drops an empty
    one, so each has at least a comment. */
function loaded(source: string): { part: string; caught: boolean }[] {
  const found: { part: string; caught: boolean }[] = []
  const look = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(look)
    if (!node || typeof node !== 'object') return
    const block = node as { type?: string; expression?: { start: number; end: number }; catch?: { nodes: unknown[] } }
    if (block.type === 'AwaitBlock') {
      const part = /import\('(.*?)'\)/.exec(source.slice(block.expression!.start, block.expression!.end))?.[1]
      if (part) found.push({ part, caught: Boolean(block.catch?.nodes.length) })
    }
    Object.entries(node).forEach(([key, inner]) => key !== 'css' && key !== 'metadata' && look(inner))
  }
  look(parse(source, { modern: true }).fragment)
  return found
}

test('every part of a page that is loaded later may be missing', () => {
  const parts = Object.entries(COMPONENTS).flatMap(([path, source]) =>
    source.includes('{#await') ? loaded(source).map((each) => ({ path, ...each })) : [],
  )
  expect(parts.filter(({ caught }) => !caught)).toEqual([])
  expect(parts.length).toBeGreaterThan(30)
}, 60_000) // it parses many components, on a machine that may be busy

test.each([
  ["{#await import('./A.svelte') then { default: A }}<A />{/await}", false],
  ["{#await import('./A.svelte') then { default: A }}<A />{:catch}{/await}", false],
  ["{#await import('./A.svelte') then { default: A }}<A />{:catch}<!-- left out -->{/await}", true],
  ["{#if a}{#await texts(() => import('./A.svelte')) then A}<A />{:catch}<p></p>{/await}{/if}", true],
])('it is known of %s', (source, caught) => expect(loaded(source)).toEqual([{ part: './A.svelte', caught }]))
