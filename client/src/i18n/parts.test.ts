// Texts are loaded before they are used: each part of a catalogue is available wherever it is imported.
import { expect, test } from 'vitest'

const SOURCES = import.meta.glob<string>(['../**/*.ts', '../**/*.svelte', '!../**/*.test.ts', '!./**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The parts that each function fetches, by the modules that speak them. */
const START = ['i18n/start']
const ROOM = ['i18n/room']
const TABLE = [...ROOM, 'i18n/table']
const WAIT = [...ROOM, 'i18n/wait']
const FETCHED: Record<string, string[]> = {
  withStartTexts: START,
  withRoomTexts: ROOM,
  withTableTexts: TABLE,
  withWaitingRoomTexts: WAIT,
  withAllTexts: [...START, ...TABLE, ...WAIT, 'i18n/late'],
}

const STATIC = /^\s*import (?!type)[^']*'(\.[^']+)'/gm
const LATER = /(\w+)?(?:\(\s*\(\) =>\s+|: \(\) =>\s+|\s)import\('(\.[^']+)'\)/g

/** A path as seen from a file, from the root of the sources. */
const at = (file: string, path: string) => new URL(path, `file:///${file}`).pathname.slice(1)

/** The file that an import means. */
const sourceOf = (path: string) =>
  ['', '.ts'].map((end) => SOURCES[`../${path}${end}`]).find((source) => source !== undefined)

/** The parts that are here as soon as a file is, whichever way it is reached. */
function reached(from: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const visit = (path: string, here: readonly string[]) => {
    const source = sourceOf(path)
    if (source === undefined) return
    const before = found.get(path)
    const always = new Set(before ? here.filter((part) => before.has(part)) : here)
    if (before?.size === always.size) return
    found.set(path, always)
    for (const [, to] of source.matchAll(STATIC)) visit(at(path, to!), [...always])
    for (const [, how, to] of source.matchAll(LATER))
      visit(at(path, to!), [...new Set([...always, ...(FETCHED[how ?? ''] ?? [])])])
  }
  visit(from, ['i18n/language'])
  return found
}

test('what a piece of the page says has been fetched before it', () => {
  const found = reached('main.ts')
  const mute = [...found].flatMap(([path, here]) => {
    const needs = [...sourceOf(path)!.matchAll(/import \{[^}]*\btexts\b[^}]*\} from '([^']+)'/g)].map(([, to]) =>
      at(path, to!),
    )
    return needs.filter((part) => !here.has(part)).map((part) => `${path} says ${part}`)
  })
  expect(mute).toEqual([])
  expect([...found.get('start/StartPage.svelte')!].sort()).toEqual(['i18n/language', 'i18n/start'])
  expect([...found.get('room/TablePage.svelte')!].sort()).toEqual(['i18n/language', 'i18n/room', 'i18n/table'])
  expect([...found.get('waiting/WaitingRoom.svelte')!].sort()).toEqual(['i18n/language', 'i18n/room', 'i18n/wait'])
  expect(found.get('judge/HowPanel.svelte')!.size).toBe(6)
  expect(found.size).toBeGreaterThan(150)
})
