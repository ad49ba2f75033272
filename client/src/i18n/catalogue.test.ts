// Each language has every text of English, with the same arguments, in its own spelling and punctuation.
import { describe, expect, test } from 'vitest'
import css from '../styles/base.css?raw'
import * as german from './de'
import * as english from './en'
import type { Parts, Words } from './en'

const whole = ({ first, start, room, table, wait, late }: Parts): Words => ({
  ...first,
  ...start,
  ...room,
  ...table,
  ...wait,
  ...late,
})
const [en, de] = [whole(english), whole(german)]

type Said = string | ((...given: unknown[]) => unknown)

/** Every text of a catalogue by its path. */
function texts(all: object, path = ''): Map<string, Said> {
  const found = new Map<string, Said>()
  for (const [key, value] of Object.entries(all)) {
    const here = path ? `${path}.${key}` : key
    if (typeof value === 'object' && value)
      for (const [inner, text] of texts(value as object, here)) found.set(inner, text)
    else found.set(here, value as Said)
  }
  return found
}

/** What a text says; whatever it speaks of is called 3, so that words and numbers are both read of it. */
const read = (said: Said, what: unknown = '3') =>
  typeof said === 'string' ? said : String(said(...Array<unknown>(said.length).fill(what)))

const ENGLISH = texts(en)
const GERMAN = texts(de)
const inGerman = [...GERMAN].flatMap(([path, said]) => [read(said), read(said, 1)].map((text) => [path, text] as const))

/** German has taken these over from English, or they are names and figures. */
const ALIKE = new Set([
  ...[
    'game',
    'start.codeHint',
    'card.joker',
    'rules.jokers.JK.short',
    'hand.hues.0',
    'player.bot',
    'replay.pause',
    'settings.vibration',
    'signs.names.clap',
    'signs.names.wow',
  ],
  ...[
    'after.ms',
    'arena.name',
    'judge.ms',
    'judge.page.picture.farTime',
    'judge.page.picture.nearTime',
    'judge.panel.first',
    'line.short',
    'practice.hit',
    'replay.hand',
    'say.time',
    'tv.first',
  ],
  ...['together.names.0', 'together.names.1', 'together.names.2', 'together.names.3'],
])

describe('German', () => {
  test('says all that English says, and no more', () => {
    const known = Object.keys(en.say.patterns)
    const ours = [...ENGLISH.keys(), ...known.map((name) => `say.patterns.${name}`)]
    const more = [...GERMAN.keys()].filter((path) => !ENGLISH.has(path))
    expect(ours.filter((path) => !GERMAN.has(path))).toEqual([])
    // English makes most names of patterns from what the server calls them
    expect(more.filter((path) => !path.startsWith('say.patterns.'))).toEqual([])
    expect(ENGLISH.size).toBeGreaterThan(400)
  })

  test('is told the same things', () => {
    const arity = (said: Said | undefined) => (typeof said === 'function' ? said.length : -1)
    expect([...ENGLISH.keys()].filter((path) => arity(ENGLISH.get(path)) !== arity(GERMAN.get(path)))).toEqual([])
  })

  test('is not English', () => {
    const same = [...ENGLISH].filter(
      ([path, said]) => /\p{L}{2}/u.test(read(said)) && read(said) === read(GERMAN.get(path)!),
    )
    expect(new Set(same.map(([path]) => path))).toEqual(ALIKE)
    expect(
      inGerman.filter(
        ([path, text]) =>
          !ALIKE.has(path) && /\b(and|are|cards?|game|is|not|of|pile|slap|the|turn|with|your?)\b/i.test(text),
      ),
    ).toEqual([])
  })

  test('is written as German is', () => {
    const faulty = (text: string) =>
      /["'”]|\.\.\.| {2}|^ | $| - /.test(text) ||
      text.split('„').length !== text.split('“').length ||
      /\d\.\d/.test(text)
    expect(inGerman.filter(([, text]) => faulty(text))).toEqual([])
  })
})

test('English is written as English is', () => {
  const faulty = (text: string) => /["'„]|\.\.\.| {2}|^ | $/.test(text)
  expect([...ENGLISH].map(([path, said]) => [path, read(said)] as const).filter(([, text]) => faulty(text))).toEqual([])
})

describe('German grammar', () => {
  test.each([
    [de.card.name(de.card.ranks.Q!, de.card.suits.S), 'Pik-Dame'],
    [de.rules.every(de.card.ranks.J!), 'jeder Bube'],
    [de.rules.every(de.card.ranks.Q!), 'jede Dame'],
    [de.rules.every(de.card.ranks.A!), 'jedes Ass'],
    [de.rules.every('7'), 'jede 7'],
    [de.status.mine(de.card.ranks.K!), 'Dein König:'],
    [de.status.mine(de.card.ranks.Q!), 'Deine Dame:'],
    [de.deeds.place('Ana'), 'Anas Karte hinlegen'],
    [de.deeds.place('Hans'), 'Hans’ Karte hinlegen'],
    [de.count(1), '1 Karte'],
    [de.count(2), '2 Karten'],
    [de.rules.changed('Klassisch', 1), 'Klassisch, 1 Änderung'],
    [de.judge.why.faster('Ana', 3_240, 'du'), 'Ana war um 3,2 ms schneller als du.'],
  ])('%s', (said, right) => expect(said).toBe(right))
})

test('no part of a catalogue says again what another says', () => {
  for (const { first, start, room, table, wait, late } of [english, german] as Parts[]) {
    const keys = [first, start, room, table, wait, late].flatMap((part) => Object.keys(part))
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
  }
})

/** The signs that the first of the fonts has, by its range in the styles. */
const FONT = css
  .match(/unicode-range:([^;}]*)/)![1]!
  .split(',')
  .map((range) =>
    range
      .trim()
      .replace('U+', '')
      .split('-')
      .map((hex) => parseInt(hex, 16)),
  )

/** Suits, hearts of strikes and the like are drawn by the system's own font. */
const DRAWN = /[\u2190-\u2bff\n]|\ufe0e/u

test.each([
  ['English', ENGLISH],
  ['German', GERMAN],
])('%s is written with the signs of the first font', (_, catalogue) => {
  const said = [...catalogue.values()].flatMap((text) => [read(text), read(text, 1)]).join('')
  const strange = new Set(
    [...said].filter(
      (sign) =>
        !DRAWN.test(sign) &&
        !FONT.some(([from, to = from]) => sign.codePointAt(0)! >= from! && sign.codePointAt(0)! <= to!),
    ),
  )
  expect([...strange]).toEqual([])
})
