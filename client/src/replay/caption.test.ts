// The caption of a moment of a replay.
import { expect, test } from 'vitest'
import type { TableEvent } from '../room/public-view'
import { NAMES, after, dealt, taken, toPlay, played } from '../testing'
import type { Finished, View } from '../wire'
import { captionOf } from './caption'

test('a pile that brings a player in is still the one that was slapped', () => {
  const told: TableEvent[] = [
    played(0, '9S', 1, toPlay(1)),
    played(1, '9H', 2, toPlay(0)),
    taken(2, 2, 'slap:double'),
    { e: 'joined', seat: 2, circle: [0, 1, 2] },
  ]
  const views: View[] = [dealt([2, 2, 0])]
  for (const event of told) views.push(after(views.at(-1)!, event))
  const game: Finished = {
    game: 'WOLF-1-1',
    house: '1;classic',
    seats: [],
    openings: [],
    seed: null,
    events: told.map((e) => ({ at_ms: 0, e })),
  }
  expect(captionOf(game, views, 4, (seat) => NAMES[seat]!)).toEqual({
    big: 'Double!',
    small: 'Cleo takes 2 and is in the game',
  })
})
