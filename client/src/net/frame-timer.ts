// Measures how long a frame lasts, and when a change becomes visible. Unit: milliseconds of the page's clock.

const DEFAULT_FRAME_MS = 1000 / 60
const KEPT = 15
const MIN_SAMPLES = 3 // with fewer samples the default is used

export class FrameTimer {
  private lengths: number[] = []
  private last: number | null = null

  /** Starts a run of consecutive frames. */
  start() {
    this.last = null
  }

  /** Records the start of a frame; returns the median length of the last ones. */
  record(start: number): number {
    if (this.last !== null && start > this.last) this.lengths = [...this.lengths, start - this.last].slice(-KEPT)
    this.last = start
    return this.frameMs
  }

  /** When a change made in the frame that began at `start` becomes visible: the next time the screen is drawn. */
  visibleAt(start: number): number {
    const elapsed = performance.now() - start
    return start + Math.max(1, Math.ceil(elapsed / this.frameMs)) * this.frameMs
  }

  private get frameMs(): number {
    if (this.lengths.length < MIN_SAMPLES) return DEFAULT_FRAME_MS
    return [...this.lengths].sort((a, b) => a - b)[this.lengths.length >> 1]!
  }
}
