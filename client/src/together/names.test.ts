// A player who typed no name gets one that is free.
import { expect, test } from 'vitest'
import { namesFor, duplicateName } from './names'

test('a player who typed nothing gets the first default name that is free', () => {
  expect(namesFor(['', ' ben ', ''], ['Ana', 'Ben', 'Cara', 'Dan'])).toEqual(['Ana', 'ben', 'Cara'])
})

test('a name that two have is found, in small letters or capital ones', () => {
  expect(duplicateName(['Ana', 'Ben', 'ana'])).toBe('ana')
  expect(duplicateName(['Ana', 'Ben'])).toBeNull()
})
