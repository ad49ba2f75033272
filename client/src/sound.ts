// Sounds, synthesised without files, and the phone's buzz. Browsers allow sound only after the first touch.
import { settings } from './settings.svelte'

let context: AudioContext | null = null
let noise: AudioBuffer | null = null

/** To be called in the handler of a touch or key. */
export function wakeSound() {
  context ??= new AudioContext({ latencyHint: 'interactive' })
  if (context.state === 'suspended') void context.resume()
}

function burst(after: number, frequency: number, seconds: number, loud: number, q = 1) {
  if (!settings.sound || context?.state !== 'running') return
  noise ??= whiteNoise(context)
  const source = context.createBufferSource()
  const filter = context.createBiquadFilter()
  const gain = context.createGain()
  const at = context.currentTime + after
  source.buffer = noise
  filter.type = 'bandpass'
  filter.frequency.value = frequency
  filter.Q.value = q
  gain.gain.setValueAtTime(loud, at)
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds)
  source.connect(filter).connect(gain).connect(context.destination)
  source.start(at)
  source.stop(at + seconds)
}

function tone(after: number, frequency: number, seconds: number, loud: number) {
  if (!settings.sound || context?.state !== 'running') return
  const source = context.createOscillator()
  const gain = context.createGain()
  const at = context.currentTime + after
  source.type = 'triangle'
  source.frequency.value = frequency
  gain.gain.setValueAtTime(0.0001, at)
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.015)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds)
  source.connect(gain).connect(context.destination)
  source.start(at)
  source.stop(at + seconds)
}

function whiteNoise(of: AudioContext): AudioBuffer {
  const buffer = of.createBuffer(1, of.sampleRate * 0.3, of.sampleRate)
  const data = buffer.getChannelData(0)
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1
  return buffer
}

export const sound = {
  card: () => burst(0, 3200, 0.05, 0.25, 0.7),
  slap: () => burst(0, 700, 0.12, 0.9, 0.5),
  wrong: () => burst(0, 240, 0.18, 0.7, 1.2),
  take: () => [0, 1, 2, 3, 4].forEach((i) => burst(i * 0.045, 2600 + i * 250, 0.04, 0.16)),
  turn: () => tone(0, 660, 0.16, 0.07),
  call: () => [392, 523].forEach((f, i) => tone(i * 0.09, f, 0.18, 0.1)),
  caught: () => [880, 660, 880].forEach((f, i) => tone(i * 0.08, f, 0.1, 0.1)),
  last: () => [330, 330, 440].forEach((f, i) => tone(i * 0.16, f, 0.2, 0.1)),
  lost: () => {
    ;[330, 277, 233, 165].forEach((f, i) => tone(i * 0.2, f, 0.4, 0.11))
    for (let i = 0; i < 12; i++) burst(0.3 + i * 0.13, 1800 + (i % 4) * 700, 0.09, 0.2, 0.8)
  },
  won: () => [523, 659, 784, 1047].forEach((f, i) => tone(i * 0.12, f, 0.3, 0.11)),
}

export function buzz(pattern: number | number[]) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}
