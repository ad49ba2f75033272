// One question to the server, and its answer or why there is none.
import type { Problem } from '../wire'
import { language, words } from '../words'
import { newNumber } from './numbers'

/** A request that cannot be met; `sentences` are for people. `code` is the server's, if it has refused it at all. */
export class Refusal extends Error {
  constructor(
    readonly sentences: readonly string[],
    readonly code = '',
  ) {
    super(sentences.join(' '))
  }
}

/** No answer has come: nobody knows whether the server has done it. */
class Unreachable extends Refusal {}

const RETRY_MS = [300, 1000]

/** The same, where it must happen once though its answer may get lost: a repetition with the same key gets the first answer. */
export async function askOnce<T>(path: string, body: unknown): Promise<T> {
  const key = { 'idempotency-key': newNumber() }
  for (const wait of RETRY_MS) {
    try {
      return await ask<T>(path, body, 'POST', key)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
    }
    await new Promise((go) => setTimeout(go, wait))
  }
  return ask<T>(path, body, 'POST', key)
}

/** What the server answers; with a `body` it is a POST, unless it is said otherwise. `more` are headers. */
export async function ask<T>(path: string, body?: unknown, method = 'POST', more?: Record<string, string>): Promise<T> {
  const headers = { 'accept-language': language, 'content-type': 'application/json', ...more }
  const response = await fetch(path, body === undefined ? { headers } : { method, headers, body: JSON.stringify(body) }).catch(() => {
    throw new Unreachable([words.start.unreachable])
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok && answer) return answer as T
  const problem = answer as Partial<Problem> | null
  throw new Refusal(problem?.problems?.length ? problem.problems : [words.start.refused], problem?.code)
}

/** The sentences for people of whatever went wrong. */
export function sentencesOf(error: unknown): readonly string[] {
  if (!(error instanceof Refusal)) return [words.start.refused]
  const ours = words.problem[error.code]
  return ours ? [ours] : error.sentences
}
