// A player whose name is taken gets the next one like it.
import { expect, test } from 'vitest'
import { freeName } from './free-name'

test('the second Ana is Ana 2, the third Ana 3', () => {
  expect(freeName('Ana', ['Ana', 'Ben'])).toBe('Ana 2')
  expect(freeName('Ana', ['Ana', 'ana 2', 'Ana 4'])).toBe('Ana 3')
})

test('a name of twenty letters makes room for its number', () => {
  expect(freeName('Bartholomew Sebastia', ['Bartholomew Sebastia'])).toBe('Bartholomew Sebast 2')
  expect(freeName('Ann Marie Elizabeth Q', [])).toBe('Ann Marie Elizabet 2')
  expect(freeName('👨‍👩‍👧'.repeat(20), [])).toBe(`${'👨‍👩‍👧'.repeat(18)} 2`)
})
