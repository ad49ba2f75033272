// A code is understood however it is typed.
import { expect, test } from 'vitest'
import { readCode } from './code'

test('small letters, spaces and dashes are as good as the code itself', () => {
  for (const typed of ['KFXB', 'kfxb', ' k f x b ', 'KF-XB', 'kf.xb1']) expect(readCode(typed)).toEqual({ code: 'KFXB', whole: true })
})

test('three letters are not a whole code, and a fifth is not read', () => {
  expect(readCode('kfx')).toEqual({ code: 'KFX', whole: false })
  expect(readCode('kfxbz')).toEqual({ code: 'KFXB', whole: true })
  expect(readCode('')).toEqual({ code: '', whole: false })
})

test('of a pasted link the code is read, not the word before it', () => {
  expect(readCode('https://cards.example/room/kfxb')).toEqual({ code: 'KFXB', whole: true })
  expect(readCode('http://10.0.0.7:8765/room/KFXB#seat=abc')).toEqual({ code: 'KFXB', whole: true })
})
