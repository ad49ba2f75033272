// Which card a press is for, and when it was: the judge gets this and nothing else.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PressTracker } from './press-tracker'

class Touch {
  isTrusted = true
  pointerType = 'touch'
  constructor(
    readonly timeStamp: number,
    readonly pointerId = 1,
  ) {}
}

const press = (at: number, more: object = {}) => Object.assign(new Touch(at), more) as unknown as Event

let now = 0
beforeEach(() => {
  vi.stubGlobal('PointerEvent', Touch)
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Card `n` comes in the frame that makes it visible at `at`. */
function show(presses: PressTracker, n: number, at: number) {
  presses.follow(n)
  presses.drawn(n, at)
}

function slapAt(presses: PressTracker, at: number, more: object = {}, contact = 1) {
  now = at + 2
  return presses.slap({ event: press(at, more), contact, after: null, seat: 0 })
}

test('nothing is slapped before a card is visible', () => {
  expect(slapAt(new PressTracker(), 100)).toBeNull()
})

test('a press is for the newest card that was visible when the finger came down', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  show(presses, 2, 2000)
  expect(slapAt(presses, 2300)!.slap).toMatchObject({ n: 2, p_ms: 2000, t_ms: 2300 })
  show(presses, 3, 3000)
  expect(slapAt(presses, 2990)!.slap).toMatchObject({ n: 2, p_ms: 2000, t_ms: 2990 })
})

test('an untrusted event is not a slap', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  expect(slapAt(presses, 1300, { isTrusted: false })).toBeNull()
})

test('a hand that is down is one hand until 120 ms later', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  expect(slapAt(presses, 1300)!.slap.s).toBe(1)
  expect(slapAt(presses, 1419)).toBeNull()
  expect(slapAt(presses, 1421)!.slap.s).toBe(2)
})

test('more fingers of the same palm are the same slap with more contact', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  slapAt(presses, 1300)
  const again = slapAt(presses, 1350, {}, 3)!
  expect(again).toMatchObject({ more: true, slap: { s: 1, t_ms: 1300, contact: 3 } })
})

test('the hands of two seats at one page are two hands', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  now = 1310
  const [first, second] = [0, 1].map((seat) => presses.slap({ event: press(1300), contact: 1, after: null, seat }))
  expect([first!.slap.seat, second!.slap.seat]).toEqual([0, 1])
})

test('the time of an event that is older than any finger is not believed', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  now = 2000
  expect(presses.slap({ event: press(1500), contact: 1, after: null, seat: 0 })!.slap.t_ms).toBe(2000)
})

test('fingers with one time stamp have one time, even if the page gets them too late to believe it', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  const slapWith = (seat: number) => presses.slap({ event: press(1500), contact: 1, after: null, seat })!.slap.t_ms
  now = 1699
  const early = slapWith(0)
  now = 1703
  expect([early, slapWith(1)]).toEqual([1500, 1500])
  const later = new PressTracker()
  show(later, 1, 1000)
  const times = [0, 1].map((seat) => {
    now += 5
    return later.slap({ event: press(1300), contact: 1, after: null, seat })!.slap.t_ms
  })
  expect(times).toEqual([1708, 1708])
})

test('the finger that has turned a card still lies on it for a while', () => {
  const presses = new PressTracker()
  presses.requestTurn(press(1000, { pointerId: 7 }), 0, 4)
  now = 1390
  expect(presses.isTurningFinger(press(1390, { pointerId: 7 }), 0, 1000, 0)).toBe(true)
  expect(presses.isTurningFinger(press(1390, { pointerId: 8 }), 0, 1000, 0)).toBe(false)
  expect(presses.isTurningFinger(press(1390, { pointerId: 7 }), 1, 1000, 0)).toBe(false) // it is another seat's finger
  now = 1410
  expect(presses.isTurningFinger(press(1410, { pointerId: 7 }), 0, 1000, 0)).toBe(false)
  expect(presses.isTurningFinger(press(1410, { pointerId: 7 }), 0, 1000, 500)).toBe(true)
})

test('a second press on a deck is the same request, until no card is requested', () => {
  const presses = new PressTracker()
  presses.requestTurn(press(1000), 0, 4)
  expect(presses.isTurnRequested(press(1900), 0, 4, true)).toBe(true)
  expect(presses.isTurnRequested(press(1240), 0, 4, false)).toBe(true)
  expect(presses.isTurnRequested(press(1260), 0, 4, false)).toBe(false)
  expect(presses.isTurnRequested(press(1240), 1, 4, true)).toBe(false)
  expect(presses.isTurnRequested(press(1240), 0, 5, true)).toBe(false)
  presses.clearTurnRequests(0)
  expect(presses.isTurnRequested(press(1240), 0, 4, true)).toBe(false)
})

test('another game starts without a visible card', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  presses.forget()
  expect(presses.newest).toBeNull()
  expect(slapAt(presses, 1300)).toBeNull()
})

test('a card that no frame has shown is slapped from when the page has it, and from its painting on with that time', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  now = 2000
  presses.follow(2)
  expect(slapAt(presses, 1990)!.slap).toMatchObject({ n: 1, p_ms: 1000 })
  expect(slapAt(presses, 2200)!.slap).toMatchObject({ n: 2, p_ms: 2000 })
  presses.newest!.painted = 2500
  expect(slapAt(presses, 2400)!.slap).toMatchObject({ n: 2, p_ms: 2000 })
  expect(slapAt(presses, 2800)!.slap).toMatchObject({ n: 2, p_ms: 2500 })
})

test('a card that goes back uncovers the one below, and its number comes again with another time', () => {
  const presses = new PressTracker()
  show(presses, 1, 1000)
  show(presses, 2, 2000)
  presses.follow(1)
  expect(slapAt(presses, 2300)!.slap).toMatchObject({ n: 1, p_ms: 1000 })
  show(presses, 2, 3000)
  expect(slapAt(presses, 3300)!.slap).toMatchObject({ n: 2, p_ms: 3000 })
})
