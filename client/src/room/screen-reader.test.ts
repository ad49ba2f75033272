// What is announced of cards: number cards in brief, cards that challenge in full.
import { expect, test } from 'vitest'
import type { Card, View } from '../wire'
import { after, dealt, orMe, toPlay } from '../testing'
import { outOfCardsAnnouncements, cardAnnouncement } from './screen-reader'
import type { TableEvent } from './public-view'
import { pileDescription } from './pile-description'

const played = (seat: number, card: Card): TableEvent => ({ e: 'played', seat, card, n: 1, standing: toPlay(1 - seat) })
const heard = (held: number[], event: TableEvent) =>
  outOfCardsAnnouncements(event, dealt(held), after(dealt(held), event), orMe)
const read = (event: TableEvent, { every = false, slaps = true } = {}) =>
  cardAnnouncement(event, after(dealt([3, 3]), event), orMe, every, slaps).text
const piled = (pile: View['pile']): View => ({ ...dealt([3, 3]), pile })

test('a card that challenges nobody is read with its rank first, and in full for players who want that', () => {
  expect(read(played(1, '5H'))).toBe('5, hearts')
  expect(read(played(1, 'TH'))).toBe('10, hearts')
  expect(read(played(1, 'JKB'))).toBe('Joker')
  expect(read(played(1, '5H'), { every: true })).toBe('Ben: 5 of hearts')
})

test('it is not read where nobody at this page can slap it', () => {
  expect(read(played(1, '5H'), { slaps: false })).toBe('')
  expect(read(played(1, '5H'), { slaps: false, every: true })).toBe('Ben: 5 of hearts')
})

test('a card that challenges is read in full to everybody, my own as well', () => {
  expect(read(played(1, 'KD'))).toBe('Ben: king of diamonds')
  expect(read(played(0, 'KD'), { slaps: false })).toBe('You: king of diamonds')
})

test('the cards of the pile that can be seen are told, newest first', () => {
  expect(pileDescription(piled([]))).toBe('No cards on the pile')
  const pile: View['pile'] = [
    ['2C', 'live'],
    ['3C', 'live'],
    ['9S', 'live'],
    ['9H', 'live'],
    ['KD', 'dead'],
  ]
  expect(pileDescription(piled(pile))).toBe(
    'The pile, newest card first: king of diamonds is dead, 9 of hearts, 9 of spades, 3 of clubs',
  )
  expect(
    pileDescription(
      piled([
        [null, 'burned'],
        ['9S', 'live'],
      ]),
    ),
  ).toBe('The pile, newest card first: 9 of spades')
})

test('whose last card has gone is told, and I am told what I can still do', () => {
  expect(heard([3, 1], played(1, '5H'))).toEqual(['Ben has no cards left'])
  expect(heard([1, 3], played(0, '5H'))).toHaveLength(1)
  expect(heard([1, 3], played(0, '5H'))[0]).toBe('You have no cards left. Slap back in!')
})
