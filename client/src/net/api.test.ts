// A request whose response is lost is sent again with the same idempotency key; one that is refused is not.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { postOnce, ApiError } from './api'

type Sent = { headers: Record<string, string> }

const sent: string[] = []

function answering(...answers: (Response | Error)[]) {
  vi.stubGlobal('fetch', (_: string, { headers }: Sent) => {
    sent.push(headers['idempotency-key']!)
    const answer = answers.shift()!
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  sent.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a request whose response is lost is retried with the same key', async () => {
  answering(new TypeError('lost'), new TypeError('lost'), Response.json({ room: 'WOLF4821' }))
  const asked = postOnce('/api/rooms', {})
  await vi.runAllTimersAsync()
  expect(await asked).toEqual({ room: 'WOLF4821' })
  expect(sent).toHaveLength(3)
  expect(new Set(sent)).toEqual(new Set([sent[0]]))
  expect(sent[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('each request has a key of its own', async () => {
  answering(Response.json({ a: 1 }), Response.json({ a: 1 }))
  await postOnce('/api/rooms', {})
  await postOnce('/api/rooms', {})
  expect(new Set(sent).size).toBe(2)
})

test('a refusal is final', async () => {
  answering(Response.json({ code: 'room_full', problems: ['It is full.'] }, { status: 409 }))
  await expect(postOnce('/api/rooms', {})).rejects.toMatchObject({ code: 'room_full' })
  expect(sent).toHaveLength(1)
})

test('after three tries it says that the server cannot be reached', async () => {
  answering(...Array.from({ length: 3 }, () => new TypeError('lost')))
  const asked = postOnce('/api/rooms', {}).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await asked).toBeInstanceOf(ApiError)
  expect(sent).toHaveLength(3)
})
