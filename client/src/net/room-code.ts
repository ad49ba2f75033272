// A room's code: four letters, then 4 to 12 digits (none in rooms of older versions). People type it in lower case,
// with spaces or hyphens, or paste the whole link.

/** The input so far: its `code`, the text for the field, whether the code is complete, and whether it came from a link. */
export interface ParsedCode {
  code: string
  formatted: string
  complete: boolean
  fromLink: boolean
}

export function parseRoomCode(typed: string): ParsedCode {
  const link = /\/(?:room|tv)\/([^/?#\s]+)/i.exec(typed)?.[1]
  const characters = (link ?? typed).toUpperCase().replace(/%20|[^A-Z0-9]/g, '')
  const [, word = '', rest = ''] = /^\d*([A-Z]{0,4})(.*)/.exec(characters)!
  const digits = word.length < 4 ? '' : rest.replace(/O/g, '0').replace(/[IL]/g, '1').replace(/\D/g, '').slice(0, 12)
  const complete = word.length === 4 && (!digits || digits.length >= 4)
  return { code: word + digits, formatted: digits ? `${word} ${digits}` : word, complete, fromLink: !!link }
}

/** A code for display, its digits in groups: `WOLF 4821`, `WOLF 48215`, `WOLF 482 159`, `WOLF 482 1590`. */
export const formatRoomCode = (code: string) => [code.slice(0, 4), ...blocks(code.slice(4))].join(' ')

function blocks(digits: string): string[] {
  if (digits.length <= 5) return digits ? [digits] : []
  const size = digits.length % 4 ? 3 : 4
  return [digits.slice(0, size), ...blocks(digits.slice(size))]
}
