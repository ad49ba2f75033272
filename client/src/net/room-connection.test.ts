// A page has two sockets: a request that the server ignored on the first is repeated, and the second reconnects when it
// is lost.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WIRE } from '../wire'
import { RoomConnection } from './room-connection'

class Socket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static all: Socket[] = []
  readyState = 1
  sent: { t: string; only?: string; s?: number }[] = []
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  constructor(readonly url: string) {
    Socket.all.push(this)
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Socket['sent'][number])
  }
  close() {
    this.readyState = 3
  }
  /** The server, or the network, ends it. */
  lost() {
    this.readyState = 3
    this.onclose?.()
  }
  hear(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const welcome = {
  t: 'welcome',
  wire: WIRE,
  game: 'WOLF-1-0',
  version: 0,
  yours: [0],
  promise: null,
  commitment: null,
  epoch: 2,
}

let connection: RoomConnection
let heard: { t: string }[] = []

/** The sockets that have been opened for slaps, in their order. */
const slapSockets = () => Socket.all.filter((socket) => socket.sent[0]?.only === 'slaps')

const openAll = () => Socket.all.filter((socket) => !socket.sent.length).forEach((socket) => socket.onopen?.())

/** Time passes, and the first socket stays alive. */
function pass(ms: number) {
  for (let left = ms; left > 0; left -= 1000) {
    Socket.all[0]!.hear({ t: 'link_stats', links: [] })
    vi.advanceTimersByTime(Math.min(left, 1000))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  Socket.all = []
  heard = []
  const target = { addEventListener: () => {}, removeEventListener: () => {} }
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', { ...target, hidden: false })
  vi.stubGlobal('addEventListener', target.addEventListener)
  vi.stubGlobal('removeEventListener', target.removeEventListener)
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' })
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} })
  vi.stubGlobal('cancelAnimationFrame', () => {})
  vi.stubGlobal('WebSocket', Socket)
  connection = new RoomConnection('WOLF', [0], {
    onMessage: (message) => heard.push(message),
    onCardShown: () => {},
    onOnline: () => {},
  })
  openAll()
  Socket.all[0]!.hear(welcome)
  openAll()
})

afterEach(() => {
  connection.leave()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the page follows its room to another server with the ticket for its seats, and asks its own server afterwards', () => {
  Socket.all[0]!.hear({ t: 'moved', to: 'http://there', ticket: 'secret' })
  const there = Socket.all.at(-1)!
  there.onopen?.()
  expect([there.url, there.sent[0]]).toMatchObject([
    'ws://there/api/rooms/WOLF/socket',
    { t: 'hello', ticket: 'secret' },
  ])
  there.lost()
  vi.advanceTimersByTime(1000)
  openAll()
  expect(Socket.all.at(-1)!.url).toBe('ws://here/api/rooms/WOLF/socket')
  expect(Socket.all.at(-1)!.sent[0]).not.toHaveProperty('ticket')
})

test('a page that is sent from server to server makes pauses', () => {
  for (let i = 0; i < 9; i++) Socket.all.at(-1)!.hear({ t: 'moved', to: `http://n${i}`, ticket: null })
  expect(Socket.all.length).toBeLessThan(5)
})

test.each([
  ['says that the room has moved', { t: 'moved', to: null, ticket: null }],
  ['has lost the room without knowing it', { ...welcome, epoch: 1 }],
  ['continues where it had lost the room', { t: 'reconnected', version: 0, seats: [], clock: null, epoch: 1 }],
])('the page leaves a server that %s, and reconnects', (_, message) => {
  const before = Socket.all.length
  Socket.all[0]!.hear(message)
  expect(Socket.all[0]!.readyState).toBe(3)
  vi.advanceTimersByTime(1000)
  expect(Socket.all.length).toBeGreaterThan(before)
})

test('the page stays with a server that has owned the room for longer, or since', () => {
  Socket.all[0]!.hear({ ...welcome, epoch: 3 })
  Socket.all[0]!.hear({ t: 'reconnected', version: 0, seats: [], clock: null, epoch: 3 })
  expect(Socket.all[0]!.readyState).toBe(1)
})

test('a page with a seat opens a second socket for slaps', () => {
  expect(slapSockets()).toHaveLength(1)
})

test('the second socket is opened again when it is lost', () => {
  slapSockets()[0]!.lost()
  pass(1000)
  openAll()
  expect(slapSockets()).toHaveLength(2)
})

test.each([
  ['names a time', { t: 'bye', reason: 'too_much', wait_s: 3 }, 3000],
  ['names none', { t: 'bye', reason: 'no_room', wait_s: 0 }, 10_000],
])('a second socket that the server closes reconnects later, if it %s', (_, bye, ms) => {
  slapSockets()[0]!.hear(bye)
  pass(ms - 100)
  openAll()
  expect(slapSockets()).toHaveLength(1)
  pass(1100)
  openAll()
  expect(slapSockets()).toHaveLength(2)
})

test('a second socket whose message was ignored stays open', () => {
  slapSockets()[0]!.hear({ t: 'rate_limited', wait_ms: 100 })
  pass(5000)
  expect(slapSockets()[0]!.readyState).toBe(Socket.OPEN)
})

test('a nonce for the shuffle that was ignored is sent again', () => {
  const first = Socket.all[0]!
  connection.send({ t: 'nonce', promise: 'p', nonce: '0'.repeat(32), seat: 0 })
  first.hear({ t: 'rate_limited', wait_ms: 500 })
  pass(500)
  expect(first.sent.slice(1).map(({ t, s }) => `${t} ${s}`)).toEqual(['nonce 1', 'nonce 1'])
})

test('an ignored request is sent again, though a later one was acknowledged', () => {
  const first = Socket.all[0]!
  connection.send({ t: 'bot' })
  connection.send({ t: 'start' })
  first.hear({ t: 'rate_limited', wait_ms: 500 })
  first.hear({ t: 'done', s: 2 })
  pass(500)
  expect(first.sent.slice(1).map(({ t, s }) => `${t} ${s}`)).toEqual(['bot 1', 'start 2', 'bot 1'])
})

test('the messages of one frame are handled in their order', () => {
  Socket.all[0]!.onmessage?.({
    data: JSON.stringify([
      { t: 'ping', k: 1, next_ms: 2000 },
      { t: 'ping', k: 2, next_ms: 2000 },
    ]),
  })
  expect(Socket.all[0]!.sent.slice(-2)).toMatchObject([
    { t: 'pong', k: 1 },
    { t: 'pong', k: 2 },
  ])
})

test('a pong says which card is visible, and since when, until another game begins', () => {
  const first = Socket.all[0]!
  const pong = () => {
    first.hear({ t: 'ping', k: 7, next_ms: 2000 })
    return first.sent.at(-1)
  }
  expect(Object.keys(pong()!).sort()).toEqual(['c_ms', 'k', 't'])
  let frame: FrameRequestCallback = () => {}
  vi.stubGlobal('requestAnimationFrame', (next: FrameRequestCallback) => void (frame = next))
  first.hear({ t: 'reveal_at', n: 3, at_ms: performance.now() })
  first.hear({ t: 'clock', seat: 0, awaited: 'turn', left_ms: 100 })
  frame(performance.now())
  expect(pong()).toMatchObject({ t: 'pong', n: 3, p_ms: expect.any(Number) as number, f_ms: 16.67 })
  first.hear({ ...welcome, game: 'WOLF-1-1' })
  expect(pong()).not.toHaveProperty('n')
})

test('after a lost connection the second socket is opened some seconds after the first has the table', () => {
  Socket.all[0]!.lost()
  vi.advanceTimersByTime(200)
  openAll()
  const back = Socket.all.at(-1)!
  const wait = (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      back.hear(welcome) // also another snapshot, which does not make it wait longer
      vi.advanceTimersByTime(Math.min(left, 500))
      openAll()
    }
  }
  wait(4900)
  expect(slapSockets()).toHaveLength(1)
  wait(10_200)
  expect(slapSockets()).toHaveLength(2)
})

test('a page that has lost its connection again opens no second socket before it is back', () => {
  Socket.all[0]!.lost()
  vi.advanceTimersByTime(800)
  openAll()
  Socket.all.at(-1)!.hear(welcome)
  Socket.all.at(-1)!.lost()
  vi.advanceTimersByTime(800)
  const before = Socket.all.length
  vi.advanceTimersByTime(4000)
  openAll()
  expect(Socket.all.slice(before).filter((socket) => socket.sent[0]?.only)).toHaveLength(0)
})

test('a connection is dead if the next ping is a second later than announced', () => {
  const [first] = Socket.all
  first!.hear({ t: 'ping', k: 7, next_ms: 8000 })
  const before = Socket.all.length
  vi.advanceTimersByTime(8900)
  expect(Socket.all).toHaveLength(before)
  vi.advanceTimersByTime(2000)
  expect(Socket.all.length).toBeGreaterThan(before)
  openAll()
  Socket.all.at(-1)!.hear({ t: 'ping', k: 8, next_ms: 3500 })
  const then = Socket.all.length
  vi.advanceTimersByTime(6500)
  expect(Socket.all.length).toBeGreaterThan(then)
})

test('a page that a busy server lets wait keeps its connection, and is told nothing else', () => {
  const [first] = Socket.all
  const before = Socket.all.length
  for (let n = 0; n < 5; n++) {
    first!.hear({ t: 'waiting' })
    vi.advanceTimersByTime(2500)
  }
  expect(Socket.all).toHaveLength(before)
  expect(heard).not.toContainEqual(expect.objectContaining({ t: 'waiting' }))
  vi.advanceTimersByTime(3500)
  expect(Socket.all.length).toBeGreaterThan(before)
})

test('ten milliseconds after each slap follows the time, on the first socket only', () => {
  const [first, second] = [Socket.all[0]!, slapSockets()[0]!]
  connection.slap({ t: 'slap', n: 1, p_ms: 0, t_ms: 300, s: 1, contact: 1, after: null, seat: 0 })
  vi.advanceTimersByTime(9)
  expect(first.sent.at(-1)!.t).toBe('slap')
  vi.advanceTimersByTime(1)
  expect([first.sent.at(-1)!.t, second.sent.at(-1)!.t]).toEqual(['beat', 'slap'])
})
