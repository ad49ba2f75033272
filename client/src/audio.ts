// Where sounds are played. Browsers allow sound only after the first touch.
import { settings } from './settings.svelte'

let context: AudioContext | null = null
let loudness: GainNode | null = null

/** To be called in the handler of a gesture: a key, a click or a finger that is lifted; on iPhones a finger that comes down is none. */
export function unlockAudio() {
  if (!context) {
    context = new AudioContext({ latencyHint: 'interactive' })
    loudness = new GainNode(context)
    loudness.connect(context.destination)
  }
  if (context.state !== 'running') void context.resume().catch(() => {}) // iPhones say 'interrupted' after a call
}

/** The audio graph for sounds; null while sound is off or not allowed yet. */
export function out(): { on: AudioContext; into: GainNode } | null {
  if (!settings.sound || context?.state !== 'running' || !loudness) return null
  loudness.gain.value = (settings.volume / 100) ** 2 * 2 // perceived loudness; at 70 of 100 the gain is about 1
  return { on: context, into: loudness }
}
