// The build for the oldest browsers: syntax, styles and what the page says without scripts.
import { parse } from 'acorn'
import { expect, test } from 'vitest'
import { newerSyntax } from './baseline'
import { inLanguage } from './entry-pages'
import { publicFields } from './private-fields'
import { layoutsOf, plainStyles, withoutNames } from './styles'

test.each(['await 1', 'class A { x = 1 }', 'class A { #x }', 'class A { static {} }', 'export default a.b?.c ?? /x/d'])('%s is newer than the baseline', (script) => {
  expect(newerSyntax(script)).not.toBeNull()
})

test.each(['a ??= b?.c ?? 1_000', 'async () => { await 1 }', 'import("./a")'])('%s is understood by all browsers of the baseline', (script) => {
  expect(newerSyntax(script)).toBeNull()
})

test('private fields and methods are properties that ES2021 knows, and behave as before', () => {
  const script = publicFields('class Counter { #count = 1; #add(n) { this.#count += n } more() { this.#add(2); return this.#count } }; new Counter().more()')
  parse(script, { ecmaVersion: 2022 })
  expect(script).not.toContain('#')
  expect((0, eval)(script)).toBe(3) // 1 + 2
})

test('a subclass has private fields of its own beside those of its base', () => {
  const script = publicFields('class Base { #a = 1; base() { return this.#a } }; class More extends Base { #b = 2; more() { return this.#b } }; const it = new More(); [it.base(), it.more()]')
  expect((0, eval)(script)).toEqual([1, 2])
})

const LAYOUTS = layoutsOf('@custom-media --small (max-width: 9px), (max-height: 9px);\n@custom-media --large (min-width: 99px);')

test('the name of a layout stands for its media queries, also beside other conditions', () => {
  expect(withoutNames('(--small) and (hover: hover), (--large)', LAYOUTS)).toBe('(max-width: 9px) and (hover: hover), (max-height: 9px) and (hover: hover), (min-width: 99px)')
  expect(withoutNames('(max-width: 5px)', LAYOUTS)).toBe('(max-width: 5px)')
})

test('a layout that nobody has defined is an error', () => {
  expect(() => withoutNames('(--tiny)', LAYOUTS)).toThrow('--tiny is no layout: there are --small, --large')
})

test('scopes of styles do without :where', () => {
  expect(plainStyles('@media (--large) { .a.S1 .b:where(.S1) { color: red } }', LAYOUTS)).toBe('@media (min-width: 99px) { .a.S1 .b.S1 { color: red } }')
})

test('a page says in its own language what browsers need', () => {
  const page = '<html lang="en">\n  <p class="old" lang="en">Old</p>\n  <p class="old" lang="de">Alt</p>\n</html>'
  expect(inLanguage(page, 'de')).toBe('<html lang="de">\n  <p class="old" lang="de">Alt</p>\n</html>')
  expect(inLanguage(page, 'en')).toBe('<html lang="en">\n  <p class="old" lang="en">Old</p>\n</html>')
})
