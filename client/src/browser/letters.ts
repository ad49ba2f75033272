// The letters of a text, as its reader counts them.
export function letters(text: string): string[] {
  try {
    const found = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
    if (found.join('') === text) return found
  } catch {
    // This browser cannot tell.
  }
  return Array.from(text) // some emoji are several
}
