// The nonces that this page adds to shuffles, and the commitments that it got for them, kept as long as its tab is
// open.
import type { Give, Welcome } from '../wire'

/** What this page knows of a game's shuffle from before the deal, and from the deal. */
export interface SavedShuffle {
  promise: string | null
  /** What it has drawn, by its seats, and what of that the server has taken. */
  drawn: string[]
  given: string[]
  commitment: string | null
}

/** A number that nobody can guess. */
export const randomHex = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** My number for a game that begins at once, in the room of this code. */
export const saveFirstNonce = (code: string, number: string) => keep(`${code}-1`, { promise: null, drawn: [number], given: [number], commitment: null })

/** What this page answers to the promise of the next shuffle: a number for each of its seats, the same when asked again. */
export function noncesFor({ game, promise, commitment, yours }: Welcome): Give[] {
  const now = savedShuffle(game)
  if (now && commitment && !now.commitment) keep(game, { ...now, commitment, given: yours.length < now.drawn.length ? [] : now.given })
  if (!promise || !yours.length) return []
  const next = nextOf(game)
  const before = savedShuffle(next)
  const known = before?.promise === promise ? before : { promise, drawn: [], given: [], commitment: null }
  const drawn = yours.map((_, at) => known.drawn[at] ?? randomHex())
  keep(next, { ...known, drawn })
  return yours.map((seat, at) => ({ t: 'nonce', promise, nonce: drawn[at]!, seat }))
}

/** A number has been taken for the shuffle after this game: it has to be in it, if it is one of mine. */
export function nonceAccepted(game: string, number: string) {
  const next = nextOf(game)
  const kept = savedShuffle(next)
  if (kept?.drawn.includes(number)) keep(next, { ...kept, given: [...kept.given, number] })
}

/** What this page has kept of a game, if it has played there. */
export function savedShuffle(game: string): SavedShuffle | null {
  const [code, , number] = game.split('-')
  const text = sessionStorage.getItem(key(game)) ?? (number === '1' ? sessionStorage.getItem(key(`${code}-1`)) : null)
  return text === null ? null : (JSON.parse(text) as SavedShuffle)
}

const key = (game: string) => `ratscrew:shuffle:${game}`

const keep = (game: string, kept: SavedShuffle) => sessionStorage.setItem(key(game), JSON.stringify(kept))

function nextOf(game: string) {
  const dash = game.lastIndexOf('-')
  return `${game.slice(0, dash)}-${Number(game.slice(dash + 1)) + 1}`
}
