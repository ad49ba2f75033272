// Every word that people read or hear, in one catalogue; a second language is a second object of this shape.
import type { Suit } from './cards/shapes'
import { after } from './words/after'
import { coming } from './words/coming'
import { cards, plural } from './words/counts'
import { learn } from './words/learn'
import { menu } from './words/menu'
import { shell } from './words/shell'
import { practice } from './words/practice'
import { table } from './words/table'
import { together } from './words/together'

export const words = {
  game: 'Ratscrew',
  count: cards,
  rules: {
    title: 'House rules',
    sheet: 'The rules of this house',
    loading: 'One moment…',
    close: 'Close',
    begin: 'Begin with a house',
    changed: (house: string, n: number) => house + (n ? `, ${plural(n, 'change', 'changes')}` : ''),
    differs: (house: string) => `As ${house}, but:`,
    needs: (title: string, what: string) => `Needs ${title}${what && `: ${what}`}`,
    needsOther: (title: string) => `Needs another choice of: ${title}`,
    copy: 'Copy link',
    copied: 'Copied',
    play: 'Play this house',
    use: 'Use this house',
    keep: 'Back',
    problems: 'This does not go together:',
    lastGood: 'The sheet shows the last house that does.',
    show: 'Show',
    touchOnly: 'touch screens only',
    less: (what: string) => `${what}: less`,
    more: (what: string) => `${what}: more`,
    addCard: 'Add a card',
    addTo: (what: string) => `${what}: add a card`,
    remove: (what: string) => `Remove ${what}`,
    every: (rank: string) => `every ${rank}`,
    jokers: {
      JK: { short: 'Joker', long: 'every joker' },
      JKR: { short: 'Red joker', long: 'the red joker' },
      JKB: { short: 'Black joker', long: 'the black joker' },
    } as Record<string, { short: string; long: string }>,
    noCards: 'none',
    groups: 'Go to',
  },
  card: {
    joker: 'Joker',
    name: (rank: string, suit: string) => `${rank} of ${suit}`,
    ranks: { T: '10', J: 'jack', Q: 'queen', K: 'king', A: 'ace' } as Record<string, string>,
    suits: { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' } satisfies Record<Suit, string>,
  },
  learn,
  practice,
  ...coming,
  shell,
  ...table,
  ...after,
  ...menu,
  together,
}

export type Words = typeof words
