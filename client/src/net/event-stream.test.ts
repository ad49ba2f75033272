// An event stream stands for a WebSocket: it opens, brings messages, sends them in order, and repeats what was lost.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventStream } from './event-stream'

type Asked = { path: string; body: string; answer: (status: number) => void; fail: () => void }
let asked: Asked[] = []
let events: ReadableStreamDefaultController<Uint8Array>

beforeEach(() => {
  asked = []
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', { CONNECTING: 0, OPEN: 1, CLOSED: 3 })
  vi.stubGlobal('CloseEvent', Event)
  vi.stubGlobal('location', { origin: 'http://here' })
  vi.stubGlobal('fetch', (url: string, { body }: { body: string }) => {
    const path = url.replace('http://here/room', '')
    if (path === '/stream')
      return Promise.resolve({
        ok: true,
        body: new ReadableStream<Uint8Array>({ start: (controller) => void (events = controller) }),
      })
    return new Promise((resolve, reject) =>
      asked.push({ path, body, answer: (status) => resolve({ status }), fail: () => reject(new Error('lost')) }),
    )
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)
const say = (text: string) => events.enqueue(new TextEncoder().encode(text))

async function opened() {
  const stream = new EventStream('ws://here/room/socket')
  const heard: string[] = []
  let closed = false
  stream.onmessage = (event) => heard.push(event.data as string)
  stream.onclose = () => (closed = true)
  stream.onopen = () => stream.send('hello')
  await settle()
  say('id: secret\n\n')
  await settle()
  return { stream, heard, isClosed: () => closed }
}

test('messages are read from events, however they are cut, and comments are none', async () => {
  const { heard } = await opened()
  say('data: {"t":"a"}\n\n:\n\ndata: {"t":')
  await settle()
  const snow = new TextEncoder().encode('"☃"}\n\n')
  events.enqueue(snow.slice(0, 2))
  events.enqueue(snow.slice(2))
  await settle()
  expect(heard).toEqual(['{"t":"a"}', '{"t":"☃"}'])
})

test('messages leave at once in three requests, and together while those are under way', async () => {
  const { stream } = await opened()
  for (const text of ['a', 'b', 'c', 'd', 'e']) stream.send(text)
  expect(asked.map(({ path, body }) => [path, body])).toEqual([
    ['/stream/secret/1', 'a'],
    ['/stream/secret/2', 'b'],
    ['/stream/secret/3', 'c'],
  ])
  asked[1]!.answer(204)
  await settle()
  expect(asked.slice(3).map(({ path, body }) => [path, body])).toEqual([['/stream/secret/4', 'd\ne']])
})

test('a request without an answer is repeated with its number; one that is refused ends the stream', async () => {
  const { stream, isClosed } = await opened()
  stream.send('a')
  asked[0]!.fail()
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked.map(({ path }) => path)).toEqual(['/stream/secret/1', '/stream/secret/1'])
  asked[1]!.answer(503)
  await vi.advanceTimersByTimeAsync(1000)
  asked[2]!.answer(204)
  await settle()
  expect(isClosed()).toBe(false)
  stream.send('b')
  asked[3]!.answer(404)
  await settle()
  expect(isClosed()).toBe(true)
  stream.send('c')
  expect(asked.length).toBe(4)
})

test('the end of the response is the end of the stream, and one that was closed says nothing more', async () => {
  const first = await opened()
  events.close()
  await settle()
  expect(first.isClosed()).toBe(true)
  const second = await opened()
  second.stream.close()
  say('data: late\n\n')
  await settle()
  expect([second.heard, second.isClosed()]).toEqual([[], false])
})
