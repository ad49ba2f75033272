// HTTP requests to the server: JSON in, JSON or an `ApiError` out.
import type { Problem } from '../wire'
import { language, texts } from '../i18n/language'
import { randomHex } from '../browser/random'
import { at } from '../base'
import { keepProofs, proofHeader } from './seat-proofs'

/** A failed request: `messages` are for players; `code` is the server's, '' if there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly messages: readonly string[],
    readonly code = '',
  ) {
    super(messages.join(' '))
  }
}

/** No answer: the server may or may not have done it. */
class UnreachableError extends ApiError {}

const RETRY_MS = [300, 1000]

const GATEWAY = [502, 503, 504] // a proxy says so of a server that is away; the server's own answers are JSON

/** A POST that is retried with the same idempotency key: it is done once, and a retry gets the first answer. */
export async function postOnce<T>(path: string, body: unknown): Promise<T> {
  const key = { 'idempotency-key': randomHex() }
  for (const wait of RETRY_MS) {
    try {
      return await fetchJson<T>(path, body, 'POST', key)
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error
    }
    await new Promise((go) => setTimeout(go, wait))
  }
  return fetchJson<T>(path, body, 'POST', key)
}

/** The server's answer as JSON; the default method is POST with a `body`, and GET without one. */
export async function fetchJson<T>(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
  extraHeaders?: Record<string, string>,
): Promise<T> {
  const headers = { 'accept-language': language, 'content-type': 'application/json', ...proofHeader(), ...extraHeaders }
  const response = await fetch(at(path), { method, headers, body: JSON.stringify(body) }).catch(() => {
    throw new UnreachableError([texts.start.unreachable])
  })
  keepProofs(response)
  const answer: unknown = await response.json().catch(() => null)
  if (!answer && GATEWAY.includes(response.status)) throw new UnreachableError([texts.start.unreachable])
  if (response.ok && answer) return answer as T
  const problem = answer as Partial<Problem> | null
  throw new ApiError(problem?.problems?.length ? problem.problems : [texts.start.refused], problem?.code)
}

/** An error's messages for players. */
export function errorMessages(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) return [texts.start.refused]
  const text = texts.problem[error.code]
  return text ? [text] : error.messages
}
