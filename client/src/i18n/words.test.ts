// All texts are in the catalogue, and no module stores one before the language is known.
import { parse } from 'svelte/compiler'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const MODULES = import.meta.glob<string>(['../**/*.ts', '!../**/*.test.ts', '!../i18n/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const COMPONENTS = import.meta.glob<string>('../**/*.svelte', { query: '?raw', import: 'default', eager: true })

const READ = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
])

/** The uses of the catalogue that happen as soon as a module is loaded: outside of every function. */
function captured(source: string): string[] {
  const found: string[] = []
  const look = (node: ts.Node) => {
    if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return
    if (ts.isIdentifier(node) && node.text === 'texts') found.push(node.parent.getText())
    ts.forEachChild(node, look)
  }
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true)
  file.statements.filter((statement) => !ts.isImportDeclaration(statement)).forEach(look)
  return found
}

/** The script of a component that runs once, when the component is loaded. */
const moduleOf = (source: string) => /<script[^>]*\bmodule\b[^>]*>(.*?)<\/script>/s.exec(source)?.[1] ?? ''

/** Text in a component's template that is written there: words in its elements, and in attributes that are read aloud. */
function written(source: string): string[] {
  const found: string[] = []
  const look = (node: unknown, attribute = '') => {
    if (Array.isArray(node)) return node.forEach((one) => look(one, attribute))
    if (!node || typeof node !== 'object') return
    const { type, data, name, value } = node as { type?: string; data?: string; name?: string; value?: unknown }
    if (type === 'Text' && (!attribute || READ.has(attribute)) && /\p{L}{2}/u.test(data ?? '')) found.push(data!.trim())
    if (type === 'Literal' && READ.has(attribute) && typeof value === 'string' && /\p{L}{2}/u.test(value))
      found.push(value)
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'css' || key === 'metadata') continue
      look(
        inner,
        type === 'Attribute'
          ? name!
          : ['Component', 'RegularElement'].includes(type ?? '') && key === 'fragment'
            ? ''
            : attribute,
      )
    }
  }
  look(parse(source, { modern: true }).fragment)
  return found
}

const faults = (files: Record<string, string>, find: (source: string) => string[]) =>
  Object.entries(files).flatMap(([path, source]) => find(source).map((what) => `${path}: ${what}`))

describe('the catalogue', () => {
  test('is not kept by a module before the language is known', () => {
    expect(faults(MODULES, captured)).toEqual([])
    expect(faults(COMPONENTS, (source) => captured(moduleOf(source)))).toEqual([])
    expect(Object.keys(MODULES).length).toBeGreaterThan(30)
  })

  test('is the only place of text that people read', () => {
    expect(faults(COMPONENTS, written)).toEqual([])
    expect(Object.keys(COMPONENTS).length).toBeGreaterThan(40)
  }, 60_000) // it parses every component, on a machine that may be busy
})

describe('the check', () => {
  test.each([
    ['const a = texts.start', ['texts.start']],
    ['export const a = { b: [texts.start.name] }', ['texts.start']],
    ['const { start } = texts', ['{ start } = texts']],
    ['const a = () => texts.start', []],
    ['const a = { get b() { return texts.start } }', []],
    ['function a() { return texts.start.name }', []],
    ['class A { b = 1; c() { return texts.start } }', []],
    ['const a: typeof texts.start = b', []],
  ])('sees what is kept: %s', (source, found) => {
    expect(captured(source)).toEqual(found)
  })

  test.each([
    ['<p>Hello</p>', ['Hello']],
    ['<p>{texts.start.name} – 10 ×</p>', []],
    ['<button aria-label="Close">×</button>', ['Close']],
    ["<button title={open ? 'Close' : texts.open}>×</button>", ['Close']],
    ['<div class="wide" data-testid="table">{@render end()}</div>', []],
    ['<script module>const a = "Hello"</script><p>{a}</p>', []],
    ['<Panel title="Rules"><p class="red">Text</p></Panel>', ['Rules', 'Text']],
  ])('sees what is written: %s', (source, found) => {
    expect(written(source)).toEqual(found)
  })
})
