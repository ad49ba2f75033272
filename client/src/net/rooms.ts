// Opening a room, and the secrets that bring a reloaded page back to its seat.
import type { Joined, NewRoom, Problem } from '../wire'
import { words } from '../words'

/** A request that cannot be met; `sentences` are for people. */
export class Refusal extends Error {
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join(' '))
  }
}

export async function openRoom(room: NewRoom): Promise<Joined> {
  const response = await fetch('/api/rooms', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(room),
  }).catch(() => {
    throw new Refusal([words.start.unreachable])
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok || !answer) throw new Refusal(sentences(answer))
  const joined = answer as Joined
  keepToken(joined.room, joined.token)
  return joined
}

function sentences(answer: unknown): readonly string[] {
  const problem = answer as Partial<Problem> | null
  return problem?.problems?.length ? problem.problems : [words.start.refused]
}

const key = (room: string) => `ratscrew:seat:${room}`

/** For this tab, and for a tab that is opened again: of two tabs in one room each keeps its own seat. */
function keepToken(room: string, token: string) {
  sessionStorage.setItem(key(room), token)
  localStorage.setItem(key(room), token)
}

export function tokenFor(room: string): string | null {
  return sessionStorage.getItem(key(room)) ?? localStorage.getItem(key(room))
}
