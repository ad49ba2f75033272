// Styles that browsers of the baseline understand (build/baseline.ts), and layouts that only one file decides.
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import page from '../index.html?raw'
import { layoutsOf } from './styles'
import { CONTAINERS } from '../src/containers'

const FILES = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(svelte|css)$/.test(name) && !name.endsWith('layouts.css'),
)
const STYLES = FILES.map((name) => {
  const text = readFileSync(`src/${name}`, 'utf8')
  const style = name.endsWith('.css') ? text : (/<style>(.*)<\/style>/s.exec(text)?.[1] ?? '')
  return [name, style.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ')] as const // one line, however it is written
})
/** Every rule as its selector and its declarations; of an at-rule, those inside. */
const RULES = STYLES.flatMap(([name, style]) =>
  [...style.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector, body]) => ({
    name,
    selector: selector!.trim(),
    body: body!,
  })),
)
const where = (found: (rule: (typeof RULES)[number]) => unknown) =>
  RULES.filter(found).map(({ name, selector }) => `${name}: ${selector}`)

/** Chromium 108 is the first with the heights, 105 with container units, 104 with transforms of their own, 90 with clip. */
test('newer units have a fallback', () => {
  expect(where(({ selector, body }) => /\d[dsl]v[hw]\b/.test(body) && selector !== ':root')).toEqual([])
  expect(where(({ selector, body }) => /\dcq\w+/.test(body) && selector !== ':root')).toEqual([])
  expect(where(({ body }) => /[;{ ](translate|rotate|scale): /.test(` ${body}`))).toEqual([])
  expect(
    where(({ selector, body }) => /overflow[\w-]*: [^;]*(?<!-)\bclip\b/.test(body) && selector !== ':root'),
  ).toEqual([])
})

test('a selector that old browsers do not know takes no other rule with it', () => {
  expect(where(({ selector }) => selector.includes(':has(') && /,(?![^(]*\))/.test(selector))).toEqual([])
})

test('container units are set wherever old browsers lay out by them', () => {
  const used = STYLES.filter(([, style]) => style.includes('var(--cq')).map(([name]) => name)
  expect(used.sort()).toEqual([
    'styles/stage.css',
    ...['AroundTable', 'FaceToFace', 'Pad', 'SideBySide'].map((name) => `together/${name}.svelte`),
    'waiting/Invite.svelte',
  ])
  const boxes = RULES.filter(({ name, body }) => used.includes(name) && body.includes('container-type')).map(
    ({ selector }) => selector,
  )
  for (const box of boxes) expect(CONTAINERS).toContain(box)
})

test('one file decides which layout a window has', () => {
  const shapes = STYLES.flatMap(([name, style]) =>
    [...style.matchAll(/@media ([^{]*)/g)].map(([, query]) => `${name}: ${query!.trim()}`),
  )
  expect(shapes.filter((query) => query.includes('aspect-ratio') && !query.startsWith('start/'))).toEqual([])
})

test('every window has exactly one layout', () => {
  const layouts = [...layoutsOf(readFileSync('src/styles/layouts.css', 'utf8'))].slice(0, 4)
  const fits = (query: string, width: number, height: number) =>
    query.split(',').some((all) =>
      [...all.matchAll(/\((\w+)-([\w-]+): ([\d/]+)(px)?\)/g)].every(([, bound, what, value]) => {
        const [a, b = 1] = value!.split('/').map(Number)
        const is = what === 'width' ? width : what === 'height' ? height : width / height
        return bound === 'min' ? is >= a! / b : is <= a! / b
      }),
    )
  const wrong: string[] = []
  for (let width = 240; width < 1000; width += 13) {
    for (let height = 160; height < 1000; height += 7) {
      const its = layouts.filter(([, query]) => fits(query, width, height)).map(([name]) => name)
      if (its.length !== 1) wrong.push(`${width}x${height} has ${its.join(' and ')}`)
    }
  }
  expect(wrong).toEqual([])
})

test('no field has letters so small that iPhones zoom in', () => {
  const small = (body: string) =>
    [...body.matchAll(/font(?:-size)?: (?:\d+ )?([\d.]+)px/g)].some(([, size]) => Number(size) < 16)
  expect(
    where(
      ({ selector, body }) =>
        /(^|[\s,])(input|textarea|select|\.address)([\s,.[:]|$)/.test(selector) &&
        !/\+|~/.test(selector) &&
        (small(body) || /font: inherit(?!; font-size)/.test(body)) &&
        !selector.startsWith('button'),
    ),
  ).toEqual([])
})

test('the page says without scripts what browsers it needs, in both languages', () => {
  for (const language of ['en', 'de'])
    expect(page.match(new RegExp(`<p class="too-old" lang="${language}">[^<]*20\\d\\d`))).not.toBeNull()
  expect(page).toMatch(/<noscript>\s*<p lang="en">.*\s*<p lang="de">/)
  expect(page).toContain('<script nomodule src="/too-old.js">')
  expect(readFileSync('public/too-old.js', 'utf8')).not.toMatch(/=>|`|\b(const|let)\b/)
})
