// Where a browser has no WebSockets, or refuses them, an attempt fails like one that is blocked on its way.
import { afterEach, expect, test, vi } from 'vitest'
import { CLOSED, OPEN, openSocket, sendBy, type Channel } from './web-socket'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const refusing = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

test.each([
  ['has none', undefined],
  ['refuses them', vi.fn(refusing)],
])('where the browser %s, the attempt ends by itself', (_, WebSocket) => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', WebSocket)
  const socket = openSocket('ws://here')
  const closed = vi.fn()
  socket.onclose = closed
  expect([socket.readyState, sendBy(socket, 'hello')]).toEqual([CLOSED, false])
  expect(closed).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(closed).toHaveBeenCalledOnce()
})

test('one that nobody listens to any more ends in silence', () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', undefined)
  openSocket('ws://here').close()
  expect(() => vi.runAllTimers()).not.toThrow()
})

test('a message that a socket refuses was not sent', () => {
  const sent: string[] = []
  const socket = { readyState: OPEN, send: (text: string) => void sent.push(text) } as unknown as Channel
  expect([sendBy(socket, 'a'), sendBy({ ...socket, send: refusing }, 'b'), sendBy(null, 'c')]).toEqual([
    true,
    false,
    false,
  ])
  expect(sent).toEqual(['a'])
})
