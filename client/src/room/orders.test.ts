// In every order of messages, frames, tasks and pauses, a slap is for the newest card that the page has.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dealt, played, toPlay, withChanges } from '../testing'
import { WIRE, type Card, type SlapMessage, type View } from '../wire'
import type { TableEvent } from './public-view'
import { viewAfter } from './public-view'
import { Room } from './room.svelte'

class Socket {
  static readonly OPEN = 1
  static first: Socket | null = null
  static slaps: SlapMessage[] = []
  readyState = 1
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  constructor() {
    Socket.first ??= this
  }
  send(text: string) {
    const message = JSON.parse(text) as SlapMessage | { t: 'other' }
    if (message.t === 'slap') Socket.slaps.push(message)
  }
  close() {
    this.readyState = 3
  }
}

/** The browser's queues: a step of a test runs one of them. */
let frames: Map<number, FrameRequestCallback>
let tasks: (() => void)[]

class Channel {
  port1 = { onmessage: () => {} }
  port2 = { postMessage: () => tasks.push(() => this.port1.onmessage()) }
}

const nextTask = (globalThis as unknown as { setImmediate: (run: (value: unknown) => void) => void }).setImmediate // the real one, of Node

const target = { addEventListener() {}, removeEventListener() {} }
const page = { ...target, hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  let frame = 0
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('addEventListener', target.addEventListener)
  vi.stubGlobal('removeEventListener', target.removeEventListener)
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' })
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {}, removeItem() {} })
  vi.stubGlobal('localStorage', { getItem: () => null, setItem() {}, removeItem() {} })
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => (frames.set(++frame, draw), frame))
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
  vi.stubGlobal('MessageChannel', Channel)
  vi.stubGlobal('WebSocket', Socket)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const PAUSE_MS = 650 // more than a page waits for a frame
const WIRE_MS = 300 // from one message to the next
const REACTION_MS = 200

const pass = (ms: number) => vi.advanceTimersByTime(ms)

const STEPS = {
  /** The browser draws a frame. */
  frame() {
    const now = [...frames.values()]
    frames.clear()
    for (const draw of now) draw(performance.now())
  },
  /** The event loop runs the tasks that wait. */
  task: () => tasks.splice(0).forEach((run) => run()),
  pause: () => pass(PAUSE_MS),
  hide: () => void (page.hidden = !page.hidden),
}
type Step = keyof typeof STEPS

/** The game of these events, as the server sends it: each card is announced for the moment at which it arrives. */
function sent(events: readonly TableEvent[]): { hear: () => void; event?: TableEvent }[] {
  let view: View = dealt([9, 9])
  const say = (message: object) => () => Socket.first!.onmessage!({ data: JSON.stringify(message) })
  return events.flatMap((event, at) => {
    const before = view
    const changes: object =
      event.e === ('withdrawn' as string)
        ? { e: event, c: { pile: [before.pile.length - 1, 1], n: before.n - 1 } }
        : withChanges(before, event)
    view = viewAfter(before, changes as Parameters<typeof viewAfter>[1])!
    const told = { hear: say({ t: 'event', v: at + 1, ...changes }), event }
    return event.e === 'played'
      ? [{ hear: () => say({ t: 'reveal_at', n: event.n, at_ms: performance.now() + WIRE_MS })() }, told]
      : [told]
  })
}

async function roomAtTheTable(): Promise<Room> {
  frames = new Map()
  tasks = []
  Socket.first = null
  Socket.slaps = []
  page.hidden = false
  const room = new Room('WOLF', [0])
  Socket.first!.onopen!()
  const seat = { name: 'Ana', bot: null, here: true, gone: false, idle: false, appearance: { hue: 0, shape: 'palm' } }
  const welcome = {
    t: 'welcome',
    wire: WIRE,
    game: 'WOLF-1-1',
    version: 0,
    you: 0,
    yours: [0],
    host: 0,
    seats: [seat, seat],
    view: dealt([9, 9]),
    promise: null,
    commitment: null,
    epoch: 1,
    clock: null,
    ready: [],
    removed: 0,
    house: '1;classic',
    closed_ms: null,
    delay_ms: 0,
    listed: false,
    locked: false,
    paused: false,
    paused_by: null,
  }
  Socket.first!.onmessage!({ data: JSON.stringify(welcome) })
  while (!room.view) await new Promise(nextTask) // its code is being loaded
  return room
}

/** Plays messages and steps in this order; then a hand comes down, and the page says for which card. */
async function slapAfter(order: readonly (Step | 'message')[], events: readonly TableEvent[]) {
  const room = await roomAtTheTable()
  const messages = sent(events)
  let top = { n: 0, at: performance.now() } // the newest card that the page has given to the room
  room.listeners.add((message) => {
    if (message.t !== 'event') return
    const { e } = message
    if (e.e === 'played') top = { n: e.n, at: performance.now() }
    if (e.e === 'withdrawn') top = { n: top.n - 1, at: -Infinity }
  })
  for (const step of order) {
    if (step === 'message') {
      messages.shift()!.hear()
      pass(WIRE_MS)
    } else STEPS[step]()
    await Promise.resolve()
  }
  pass(REACTION_MS)
  room.slap({ isTrusted: true, timeStamp: performance.now() } as Event)
  room.leave()
  const [slap] = Socket.slaps
  return { slap, top }
}

/** All orders of `messages` messages with up to `steps` steps. */
function* orders(messages: number, steps: number): Generator<(Step | 'message')[]> {
  if (!messages) yield []
  if (messages) for (const rest of orders(messages - 1, steps)) yield ['message', ...rest]
  if (steps)
    for (const step of Object.keys(STEPS) as Step[])
      for (const rest of orders(messages, steps - 1)) yield [step, ...rest]
}

const withdrawn = { e: 'withdrawn', seat: 1, card: '9H', standing: toPlay(1) } as unknown as TableEvent
const card = (seat: number, name: string, n: number) => played(seat, name as Card, n, toPlay(1 - seat))

test.each([
  ['two cards', [card(0, '9S', 1), card(1, '9H', 2)], 3],
  ['a card that goes back', [card(0, '9S', 1), card(1, '9H', 2), withdrawn], 2],
  [
    'one that goes back and another under its number',
    [card(0, '9S', 1), card(1, '9H', 2), withdrawn, card(1, '4C', 2)],
    2,
  ],
])(
  'with %s no order of frames, tasks, pauses and messages makes a slap one of the card below',
  async (_, events, steps) => {
    let count = 0
    for (const order of orders(sent(events).length, steps)) {
      const { slap, top } = await slapAfter(order, events)
      const said = order.join(' ')
      expect({ said, n: slap?.n }).toEqual({ said, n: top.n })
      expect(slap!.p_ms, said).toBeLessThanOrEqual(slap!.t_ms)
      expect(slap!.p_ms, said).toBeGreaterThanOrEqual(top.at) // nobody has seen it before the page had it
      count++
    }
    expect(count).toBeGreaterThan(100)
  },
  60_000,
)
