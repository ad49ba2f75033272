// The parts of a catalogue, as the bundler finds them.
declare module '*?first' {
  export const first: import('./en').Parts['first']
}
declare module '*?room' {
  export const room: import('./en').Parts['room']
}
declare module '*?late' {
  export const late: import('./en').Parts['late']
}
