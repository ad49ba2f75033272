import { expect, test } from 'vitest'
import { clockText } from './clock-text'

test.each([
  [0, '0:00'],
  [-3, '0:00'],
  [4.2, '0:05'],
  [65, '1:05'],
  [3599.1, '1:00:00'],
  [3725, '1:02:05'],
])('%d seconds are %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text)
})
