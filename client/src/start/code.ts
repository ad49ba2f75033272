// The code of a table as people type, say and paste it: in small letters, with spaces between, or as the whole link.

const LETTERS = 4

/** The letters of a code so far; `whole` once there are four. */
export function readCode(typed: string): { code: string; whole: boolean } {
  const linked = /\/room\/([a-z]+)/i.exec(typed)?.[1]
  const code = (linked ?? typed).replace(/[^a-z]/gi, '').slice(0, LETTERS).toUpperCase()
  return { code, whole: code.length === LETTERS }
}
