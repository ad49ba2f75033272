// A code is accepted however it is typed, and formatted so that it can be read out.
import { describe, expect, test } from 'vitest'
import { parseRoomCode, formatRoomCode } from './room-code'

const whole = (typed: string) => {
  const read = parseRoomCode(typed)
  return read.complete ? read.code : null
}

describe('what is typed', () => {
  test.each([
    'WOLF4821',
    'wolf4821',
    ' wolf 4821 ',
    'Wolf-4821',
    'w o l f 4 8 2 1',
    'wolf.4821',
    'wolf 482l',
    'wolf 482I',
  ])('%s is a code', (typed) => {
    expect(whole(typed)).toBe('WOLF4821')
  })

  test('the letters O, I and L among the digits are meant as 0 and 1', () => {
    expect(whole('cook 4o2i')).toBe('COOK4021')
  })

  test('a code of an older version has no digits', () => {
    expect(parseRoomCode('wolf')).toEqual({ code: 'WOLF', formatted: 'WOLF', complete: true, fromLink: false })
  })

  test('it is not whole before the fourth letter, nor with one to three digits', () => {
    for (const typed of ['', 'w', 'wol', 'wol4821', '4821', 'wolf 4', 'wolf 482']) expect(whole(typed)).toBeNull()
  })

  test('while one types, the word stands apart from the digits', () => {
    expect(parseRoomCode('wol').formatted).toBe('WOL')
    expect(parseRoomCode('wolf4').formatted).toBe('WOLF 4')
    expect(parseRoomCode('WOLF ').formatted).toBe('WOLF')
    expect(parseRoomCode('wolf 482159').formatted).toBe('WOLF 482159')
  })

  test('a thirteenth digit is not read', () => {
    expect(whole('wolf 123456789012345')).toBe('WOLF123456789012')
  })

  test.each([
    'https://cards.example/room/wolf4821',
    'http://10.0.0.7:8765/room/WOLF4821#seat=abc',
    'come: http://a.example/room/WOLF%204821 !',
    'a.example/tv/wolf-4821?x=1',
  ])('of the pasted link %s the code is read', (typed) => {
    expect(parseRoomCode(typed)).toMatchObject({ code: 'WOLF4821', complete: true, fromLink: true })
  })
})

test.each([
  ['WOLF', 'WOLF'],
  ['WOLF4821', 'WOLF 4821'],
  ['WOLF48215', 'WOLF 48215'],
  ['WOLF482159', 'WOLF 482 159'],
  ['WOLF4821590', 'WOLF 482 1590'],
  ['WOLF48215903', 'WOLF 4821 5903'],
  ['WOLF482159037', 'WOLF 482 159 037'],
  ['WOLF4821590371', 'WOLF 482 159 0371'],
  ['WOLF48215903712', 'WOLF 482 1590 3712'],
  ['WOLF482159037126', 'WOLF 4821 5903 7126'],
])('%s is shown as %s', (code, shown) => {
  expect(formatRoomCode(code)).toBe(shown)
  expect(whole(shown)).toBe(code)
})
