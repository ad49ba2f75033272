// The rating of a connection.
import { expect, test } from 'vitest'
import { connectionQuality } from './connection-quality'

test('a distant connection is good if it is steady, and an unsteady one is poor however near', () => {
  expect(connectionQuality({ rtt_ms: 150, jitter_ms: 15 })).toBe('good')
  expect(connectionQuality({ rtt_ms: 151, jitter_ms: 1 })).toBe('fair')
  expect(connectionQuality({ rtt_ms: 20, jitter_ms: 16 })).toBe('fair')
  expect(connectionQuality({ rtt_ms: 20, jitter_ms: 41 })).toBe('poor')
  expect(connectionQuality({ rtt_ms: 301, jitter_ms: 1 })).toBe('poor')
})
