// The nonces that this page adds to shuffles, and the commitments that it got for them, kept as long as its tab is
// open.
import { randomHex } from '../browser/random'
import { tab } from '../browser/storage'
import { isListOf, isNullOr, isShape, isText, parsed } from '../browser/stored'
import type { GiveNonce, Welcome } from '../wire'

/** What this page got of a game's shuffle before the deal, and at the deal. */
export interface SavedShuffle {
  promise: string | null
  /** The nonces that it drew, by its seats, and those that the server accepted. */
  drawn: string[]
  given: string[]
  commitment: string | null
}

/** Saves my nonce for a game that begins at once, in the room with this code. */
export const saveFirstNonce = (code: string, number: string) =>
  keep(`${code}-1`, { promise: null, drawn: [number], given: [number], commitment: null })

/** The nonces for the next shuffle, one for each seat of this page; the same ones when called again. */
export function noncesFor({ game, promise, commitment, yours }: Welcome): GiveNonce[] {
  const now = savedShuffle(game)
  if (now && commitment && !now.commitment)
    keep(game, { ...now, commitment, given: yours.length < now.drawn.length ? [] : now.given })
  if (!promise || !yours.length) return []
  const next = nextOf(game)
  const before = savedShuffle(next)
  const known = before?.promise === promise ? before : { promise, drawn: [], given: [], commitment: null }
  const drawn = yours.map((_, at) => known.drawn[at] ?? randomHex())
  keep(next, { ...known, drawn })
  return yours.map((seat, at) => ({ t: 'nonce', promise, nonce: drawn[at]!, seat }))
}

/** Records that the server accepted a nonce for the next shuffle, if it is one of mine. */
export function nonceAccepted(game: string, number: string) {
  const next = nextOf(game)
  const kept = savedShuffle(next)
  if (kept?.drawn.includes(number)) keep(next, { ...kept, given: [...kept.given, number] })
}

/** What this page has stored of a game's shuffle; null if it has not played there. */
export function savedShuffle(game: string): SavedShuffle | null {
  const [code, , number] = game.split('-')
  const kept = parsed(tab.get(key(game)) ?? (number === '1' ? tab.get(key(`${code}-1`)) : null))
  return isShuffle(kept) ? kept : null
}

const key = (game: string) => `ratscrew:shuffle:${game}`

const TEXTS = isListOf(isText)
const isShuffle = isShape<SavedShuffle>({
  promise: isNullOr(isText),
  drawn: TEXTS,
  given: TEXTS,
  commitment: isNullOr(isText),
})

const keep = (game: string, kept: SavedShuffle) => tab.set(key(game), JSON.stringify(kept))

function nextOf(game: string) {
  const dash = game.lastIndexOf('-')
  return `${game.slice(0, dash)}-${Number(game.slice(dash + 1)) + 1}`
}
