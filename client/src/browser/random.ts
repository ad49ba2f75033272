// Random numbers; of lower quality where the browser has no better ones.

/** 32 random bits each. */
export function randomWords(count: number): Uint32Array {
  const words = new Uint32Array(count)
  try {
    crypto.getRandomValues(words)
  } catch {
    // They stay 0.
  }
  return words.some(Boolean) ? words : words.map(() => Math.random() * 2 ** 32)
}

/** 128 random bits in hexadecimal. */
export const randomHex = () => Array.from(randomWords(4), (word) => word.toString(16).padStart(8, '0')).join('')
