import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Welcome } from '../wire'
import { noncesFor, saveFirstNonce, savedShuffle, nonceAccepted } from './nonces'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
})

const welcome = (more: Partial<Welcome> = {}) =>
  ({ t: 'welcome', game: 'WOLF-1f-0', promise: 'aa', commitment: null, yours: [0], ...more }) as Welcome
const numbers = (more: Partial<Welcome> = {}) => noncesFor(welcome(more)).map(({ nonce }) => nonce)

describe('the numbers of a page', () => {
  it('are one for each of its seats, of 32 digits', () => {
    const said = noncesFor(welcome({ yours: [1, 3] }))
    expect(said.map(({ t, promise, seat }) => [t, promise, seat])).toEqual([
      ['nonce', 'aa', 1],
      ['nonce', 'aa', 3],
    ])
    expect(new Set(said.map(({ nonce }) => nonce)).size).toBe(2)
    for (const { nonce } of said) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  })
  it('are the same when the page is welcomed again', () => {
    expect(numbers()).toEqual(numbers())
  })
  it('are others for another promise', () => {
    expect(numbers()).not.toEqual(numbers({ promise: 'bb' }))
  })
  it('are none for who watches, or where nothing is promised', () => {
    expect([...numbers({ yours: [] }), ...numbers({ promise: null })]).toEqual([])
  })
  it('have to be in the next shuffle when the server has taken them', () => {
    const [mine] = numbers()
    expect(savedShuffle('WOLF-1f-1')?.given).toEqual([])
    nonceAccepted('WOLF-1f-0', mine!)
    nonceAccepted('WOLF-1f-0', 'somebody else’s')
    noncesFor(welcome({ game: 'WOLF-1f-1', promise: 'bb', commitment: 'cc' }))
    expect(savedShuffle('WOLF-1f-1')).toEqual({ promise: 'aa', drawn: [mine], given: [mine], commitment: 'cc' })
    expect(savedShuffle('WOLF-1f-2')?.promise).toBe('bb')
  })
  it('need not be in it, if a seat of this page has been left before the deal', () => {
    for (const number of numbers({ yours: [0, 1] })) nonceAccepted('WOLF-1f-0', number)
    noncesFor(welcome({ game: 'WOLF-1f-1', commitment: 'cc' }))
    expect(savedShuffle('WOLF-1f-1')?.given).toEqual([])
  })
  it('are known of a game that began at once, by its code', () => {
    saveFirstNonce('WOLF', 'dd')
    noncesFor(welcome({ game: 'WOLF-1f-1', commitment: 'cc' }))
    expect(savedShuffle('WOLF-1f-1')).toMatchObject({ promise: null, given: ['dd'], commitment: 'cc' })
    expect(savedShuffle('WOLF-1f-2')?.given).toEqual([])
  })
})
