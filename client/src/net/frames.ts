// How fast this page's screen draws, and from when on what is drawn now can be seen. Unit: milliseconds of the page.

const USUAL_MS = 1000 / 60
const COUNTED = 15
const LEAST = 3 // so many are known before they are believed

export class Frames {
  private lengths: number[] = []
  private last: number | null = null

  /** Frames are about to follow each other. */
  begin() {
    this.last = null
  }

  /** A frame begins; the answer is how long one lasts: half of the last ones were longer. */
  note(start: number): number {
    if (this.last !== null && start > this.last) this.lengths = [...this.lengths, start - this.last].slice(-COUNTED)
    this.last = start
    return this.each
  }

  /** From when on a change made in the frame that began at `start` is to be seen: the next time the screen is drawn. */
  shown(start: number): number {
    const gone = performance.now() - start
    return start + Math.max(1, Math.ceil(gone / this.each)) * this.each
  }

  private get each(): number {
    if (this.lengths.length < LEAST) return USUAL_MS
    return [...this.lengths].sort((a, b) => a - b)[this.lengths.length >> 1]!
  }
}
