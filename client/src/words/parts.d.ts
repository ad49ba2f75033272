// The later part of a catalogue, as the bundler finds it.
declare module '*/en?late' {
  export const late: typeof import('./en').late
}
