// One question to the server, and its answer or why there is none.
import type { Problem } from '../wire'
import { language, words } from '../words'

/** A request that cannot be met; `sentences` are for people. `code` is the server's, if it has refused it at all. */
export class Refusal extends Error {
  constructor(
    readonly sentences: readonly string[],
    readonly code = '',
  ) {
    super(sentences.join(' '))
  }
}

/** What the server answers; with a `body` it is a POST, unless it is said otherwise. */
export async function ask<T>(path: string, body?: unknown, method = 'POST'): Promise<T> {
  const headers = { 'accept-language': language, 'content-type': 'application/json' }
  const response = await fetch(path, body === undefined ? { headers } : { method, headers, body: JSON.stringify(body) }).catch(() => {
    throw new Refusal([words.start.unreachable])
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
