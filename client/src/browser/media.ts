// Media queries.

/** Whether a media query is true now; false if the browser cannot tell. */
export function mediaQuery(query: string): () => boolean {
  let list: MediaQueryList | undefined
  return () => {
    try {
      return !!(list ??= matchMedia(query)).matches
    } catch {
      return false
    }
  }
}
