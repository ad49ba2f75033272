// Measures how long a frame lasts, and when a change becomes visible. Unit: milliseconds of the page's clock.
//
// To save power, browsers draw every second or third frame of the screen: 30 a second on a screen that shows 60. What is
// drawn then becomes visible with the screen's next frame, not with the page's.

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

  /** Records the start of a frame; returns the usual length of the last ones. */
  record(start: number): number {
    if (this.last !== null && start > this.last) this.lengths = [...this.lengths, start - this.last].slice(-KEPT)
    this.last = start
    return this.frameMs
  }

  /** When a change made in the frame that began at `start` becomes visible: the next time the screen is drawn. */
  visibleAt(start: number): number {
    const elapsed = performance.now() - start
    return start + Math.max(1, Math.ceil(elapsed / this.refreshMs)) * this.refreshMs
  }

  /** How long the screen shows a frame: no screen is taken to be slower than 40 frames a second. */
  get refreshMs(): number {
    return this.frameMs / Math.max(1, Math.round(this.frameMs * 0.06))
  }

  /** The mean of the lengths near the median: browsers round the starts of frames, to a millisecond in some. */
  get frameMs(): number {
    if (this.lengths.length < MIN_SAMPLES) return DEFAULT_FRAME_MS
    const median = [...this.lengths].sort((a, b) => a - b)[this.lengths.length >> 1]!
    const usual = this.lengths.filter((length) => Math.abs(length - median) <= median / 4)
    return usual.reduce((sum, length) => sum + length) / usual.length
  }
}
