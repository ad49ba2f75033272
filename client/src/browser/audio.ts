// The audio output. Browsers allow sound only after the first touch; some have none, and some lose it, as iPhones after a
// call: then the game is silent.
let context: AudioContext | null = null
let loudness: GainNode | null = null
/** When the clock of the output last ran, by the page's clock, and what it showed. */
let ran = { at: 0, clock: -1 }

const STUCK_MS = 2000 // a clock that has not run for so long does not run any more

/** To be called in the handler of a gesture: a key, a click or a finger that is lifted; on iPhones a finger that comes down is none. */
export function unlockAudio() {
  try {
    if (!context || isStuck(context)) open()
    if (context?.state !== 'running') void Promise.resolve(context?.resume()).catch(() => {}) // iPhones say 'interrupted' after a call
  } catch {
    context = loudness = null
  }
}

/** Plays at this loudness, if sound is allowed: `make` connects its sources to `into`. */
export function play(gain: number, make: (on: AudioContext, into: AudioNode) => void) {
  if (context?.state !== 'running' || !loudness) return
  try {
    loudness.gain.value = gain
    make(context, loudness)
  } catch {
    // What this browser lacks is not heard.
  }
}

function open() {
  void Promise.resolve(context?.close()).catch(() => {}) // a browser has only a few
  context = new AudioContext({ latencyHint: 'interactive' })
  loudness = context.createGain()
  loudness.connect(context.destination)
  ran = { at: performance.now(), clock: context.currentTime }
}

/** Whether the output stands still: it stays interrupted, or says that it runs and does not. */
function isStuck({ currentTime }: AudioContext): boolean {
  if (currentTime !== ran.clock) ran = { at: performance.now(), clock: currentTime }
  return performance.now() - ran.at > STUCK_MS
}
