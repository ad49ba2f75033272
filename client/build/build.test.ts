// The build for the oldest browsers: syntax, styles and what the page says without scripts.
import { expect, test } from 'vitest'
import { newerSyntax } from './baseline'
import { inLanguage } from './entry-pages'
import { layoutsOf, plainStyles, withoutNames } from './styles'

test.each([
  'await 1',
  'class A { static {} }',
  'class A { #x; static is(o) { return #x in o } }',
  'export default /x/d',
  'using a = b',
])('%s is newer than the baseline', (script) => {
  expect(newerSyntax(script)).not.toBeNull()
})

test.each([
  'a ??= b?.c ?? 1_000',
  'async () => { await 1 }',
  'import("./a")',
  'class A { #x = 1; static y = 2; #z() {} }',
])('%s is understood by all browsers of the baseline', (script) => {
  expect(newerSyntax(script)).toBeNull()
})

const LAYOUTS = layoutsOf(
  '@custom-media --small (max-width: 9px), (max-height: 9px);\n@custom-media --large (min-width: 99px);',
)

test('the name of a layout stands for its media queries, also beside other conditions', () => {
  expect(withoutNames('(--small) and (hover: hover), (--large)', LAYOUTS)).toBe(
    '(max-width: 9px) and (hover: hover), (max-height: 9px) and (hover: hover), (min-width: 99px)',
  )
  expect(withoutNames('(max-width: 5px)', LAYOUTS)).toBe('(max-width: 5px)')
})

test('a layout that nobody has defined is an error', () => {
  expect(() => withoutNames('(--tiny)', LAYOUTS)).toThrow('--tiny is no layout: there are --small, --large')
})

test('scopes of styles do without :where', () => {
  expect(plainStyles('@media (--large) { .a.S1 .b:where(.S1) { color: red } }', LAYOUTS)).toBe(
    '@media (min-width: 99px) { .a.S1 .b.S1 { color: red } }',
  )
})

test('a page says in its own language what browsers need', () => {
  const page = '<html lang="en">\n  <p class="old" lang="en">Old</p>\n  <p class="old" lang="de">Alt</p>\n</html>'
  expect(inLanguage(page, 'de')).toBe('<html lang="de">\n  <p class="old" lang="de">Alt</p>\n</html>')
  expect(inLanguage(page, 'en')).toBe('<html lang="en">\n  <p class="old" lang="en">Old</p>\n</html>')
})
