// What is read aloud of cards: not every one, but those that matter.
import { expect, test } from 'vitest'
import type { Card } from '../wire'
import { dealt, orMe, toPlay } from '../testing'
import { aloud } from './aloud'
import { follow, type TableEvent } from './follow'

const played = (seat: number, card: Card): TableEvent => ({ e: 'played', seat, card, n: 1, to: toPlay(1 - seat), chance: 0, aside: false, at_ms: null })
const heard = (held: number[], event: TableEvent, all = false) => aloud(event, dealt(held), follow(dealt(held), event), orMe, all)

test('a card that challenges nobody is read to those alone who want every card', () => {
  expect(heard([3, 3], played(1, '5H'))).toEqual([])
  expect(heard([3, 3], played(1, '5H'), true)).toEqual(['Ben: 5 of hearts'])
})

test('a card that challenges is read to everybody, my own as well', () => {
  expect(heard([3, 3], played(1, 'KD'))).toEqual(['Ben: king of diamonds'])
  expect(heard([3, 3], played(0, 'KD'))).toEqual(['You: king of diamonds'])
})

test('whose last card has gone is told, and I am told what I can still do', () => {
  expect(heard([3, 1], played(1, '5H'))).toEqual(['Ben has no cards left'])
  expect(heard([1, 3], played(0, '5H'))).toHaveLength(1)
  expect(heard([1, 3], played(0, '5H'))[0]).toMatch(/no cards/i)
})
