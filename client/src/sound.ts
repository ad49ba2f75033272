// Synthesised sounds, and vibration. They are mixed against each other: the slap is the loudest of a game's sounds, what
// happens to me is louder than what happens to others, and cards and reminders are the quietest.
import { play } from './browser/audio'
import { vibrate as vibrateDevice } from './browser/vibration'
import { settings } from './settings.svelte'

let noise: AudioBuffer | null = null

/** Plays at the chosen volume; perceived loudness: at 70 of 100 the gain is about 1. */
function hear(make: Parameters<typeof play>[1]) {
  if (settings.sound) play((settings.volume / 100) ** 2 * 2, make)
}

/** A knock: a burst of noise around a frequency that fades out. */
function burst(after: number, frequency: number, seconds: number, loud: number, q = 1) {
  hear((on, into) => {
    noise ??= whiteNoise(on)
    const at = on.currentTime + after
    const source = new AudioBufferSourceNode(on, { buffer: noise })
    const filter = new BiquadFilterNode(on, { type: 'bandpass', frequency, Q: q })
    const gain = new GainNode(on)
    gain.gain.setValueAtTime(loud, at)
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds)
    source.connect(filter).connect(gain).connect(into)
    source.start(at)
    source.stop(at + seconds)
  })
}

function tone(
  after: number,
  frequency: number,
  seconds: number,
  loud: number,
  type: OscillatorType = 'triangle',
  slide = 1,
) {
  hear((on, into) => {
    const at = on.currentTime + after
    const source = new OscillatorNode(on, { type, frequency })
    const gain = new GainNode(on)
    source.frequency.setValueAtTime(frequency, at)
    source.frequency.exponentialRampToValueAtTime(frequency * slide, at + seconds)
    gain.gain.setValueAtTime(0.0001, at)
    gain.gain.exponentialRampToValueAtTime(loud, at + 0.015)
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds)
    source.connect(gain).connect(into)
    source.start(at)
    source.stop(at + seconds)
  })
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
  wrong: () => {
    burst(0, 240, 0.18, 0.7, 1.2)
    ;[0, 0.13].forEach((after) => tone(after, 165, 0.14, 0.09, 'square', 0.8))
  },
  /** A riffle, longer and higher the more cards there are; another player's is darker. A streak rings, higher with each pile. */
  take: (count: number, mine: boolean, streak = 0) => {
    for (let i = 0; i < Math.min(20, count); i++)
      burst(i * 0.035, mine ? 2600 + i * 160 : 1500 + i * 60, 0.04, mine ? 0.16 : 0.1)
    if (streak)
      [0, 4, 7, 12].forEach((step, i) =>
        tone(0.1 + i * 0.07, 392 * 2 ** ((Math.min(streak, 10) + step) / 12), 0.18, mine ? 0.08 : 0.04),
      )
  },
  beaten: () => [330, 220].forEach((f, i) => tone(i * 0.12, f, 0.2, 0.1)),
  turn: () => [660, 880].forEach((f, i) => tone(i * 0.07, f, 0.14, 0.07)),
  sign: () => tone(0, 740, 0.12, 0.06, 'sine', 1.5),
  call: () => [392, 523].forEach((f, i) => tone(i * 0.09, f, 0.18, 0.1)),
  caught: () => [880, 660, 880].forEach((f, i) => tone(i * 0.08, f, 0.1, 0.1)),
  last: () => [330, 330, 440].forEach((f, i) => tone(i * 0.16, f, 0.2, 0.1)),
  /** Two low beats: a challenge has one try left. */
  heart: () => [0, 0.19].forEach((after, i) => tone(after, i ? 52 : 60, 0.16, 0.2, 'sine', 0.7)),
  lost: () => {
    ;[330, 277, 233, 165].forEach((f, i) => tone(i * 0.2, f, 0.4, 0.11))
    for (let i = 0; i < 12; i++) burst(0.3 + i * 0.13, 1800 + (i % 4) * 700, 0.09, 0.2, 0.8)
  },
  /** Somebody else has won: the same chord, softer and without its top. */
  wonByAnother: () => [392, 494, 587].forEach((f, i) => tone(i * 0.12, f, 0.26, 0.06)),
  won: () => [523, 659, 784, 1047].forEach((f, i) => tone(i * 0.12, f, 0.3, 0.11)),
}

export function vibrate(pattern: number | number[]) {
  if (settings.vibration) vibrateDevice(pattern)
}
