// The hashes and the random draws of a verifiable shuffle, as docs/shuffle.md specifies. Uses a library: browsers have
// no SHA-256 on a page that came over plain HTTP.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** One of 0 to n - 1, each as likely. */
export type Draw = (n: number) => number

const WORDS = 2 ** 32
const hash = (...lines: string[]) => bytesToHex(sha256(utf8ToBytes(lines.join('\n'))))

/** The hash by which a seed is promised. */
export const promiseOf = (game: string, seed: string) => hash('ratscrew promise', game, seed)

/** The hash of everything that the shuffle is made from. */
export const commitmentOf = (game: string, seed: string, nonces: readonly string[]) =>
  hash('ratscrew commitment', game, seed, ...nonces)

/** The draws of a game. */
export function drawsOf(game: string, seed: string, nonces: readonly string[]): Draw {
  const words = wordsOf(seed, ['ratscrew draw', game, ...nonces].join('\n'))
  return (n) => {
    for (;;) {
      const word = words.next().value
      if (word < WORDS - (WORDS % n)) return word % n
    }
  }
}

function* wordsOf(seed: string, text: string): Generator<number, never> {
  for (let number = 0; ; number++) {
    const block = new DataView(hmac(sha256, utf8ToBytes(seed), utf8ToBytes(`${text}\n${number}`)).buffer)
    for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at)
  }
}
