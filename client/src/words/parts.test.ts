// Whoever says something has fetched the words for it: each part of a catalogue is at hand wherever it is imported.
import { expect, test } from 'vitest'

const SOURCES = import.meta.glob<string>(['../**/*.ts', '../**/*.svelte', '!../**/*.test.ts', '!../words.ts', '!./**'], { query: '?raw', import: 'default', eager: true })
const PARTS = ['words', 'words/room', 'words/late']

const STATIC = /^\s*import (?!type)[^'\n]*'(\.[^']+)'/gm
const LATER = /(\w+)?(?:\(\(\) => |: \(\) => |\s)import\('(\.[^']+)'\)/g

/** A path as seen from a file, from the root of the sources. */
const at = (file: string, path: string) => new URL(path, `file:///${file}`).pathname.slice(1)

/** The file that an import means. */
const sourceOf = (path: string) => ['', '.ts'].map((end) => SOURCES[`../${path}${end}`]).find((source) => source !== undefined)

/** How many of the parts are here as soon as a file is: those of the poorest way by which it is reached. */
function reached(from: string): Map<string, number> {
  const least = new Map<string, number>()
  const visit = (path: string, level: number) => {
    const source = sourceOf(path)
    if (source === undefined || (least.get(path) ?? PARTS.length) <= level) return
    least.set(path, level)
    for (const [, to] of source.matchAll(STATIC)) visit(at(path, to!), level)
    for (const [, how, to] of source.matchAll(LATER)) visit(at(path, to!), how === 'late' ? 2 : how === 'inRoom' ? Math.max(1, level) : level)
  }
  visit(from, 0)
  return least
}

/** The pages of App.svelte's list are all fetched with all words, where the list is used. */
const listed = (source: string) => source.replace(/(\w+): \(\) => import/g, '$1: late(() => import')

test('what a piece of the page says has been fetched before it', () => {
  SOURCES['../App.svelte'] = listed(SOURCES['../App.svelte']!)
  const levels = reached('main.ts')
  const mute = [...levels].flatMap(([path, level]) => {
    const needs = [...sourceOf(path)!.matchAll(/import \{[^}]*\bwords\b[^}]*\} from '([^']+)'/g)].map(([, to]) => PARTS.indexOf(at(path, to!)))
    return needs.filter((part) => part > level).map((part) => `${path} says ${PARTS[part]}`)
  })
  expect(mute).toEqual([])
  expect(levels.get('start/StartPage.svelte')).toBe(0)
  expect(levels.get('room/TablePage.svelte')).toBe(1)
  expect(levels.get('judge/HowPanel.svelte')).toBe(2)
  expect(levels.size).toBeGreaterThan(150)
})
