// The parts of a catalogue, as the bundler resolves them.
declare module '*?first' {
  export const first: import('./en').Parts['first']
}
declare module '*?start' {
  export const start: import('./en').Parts['start']
}
declare module '*?room' {
  export const room: import('./en').Parts['room']
}
declare module '*?table' {
  export const table: import('./en').Parts['table']
}
declare module '*?wait' {
  export const wait: import('./en').Parts['wait']
}
declare module '*?late' {
  export const late: import('./en').Parts['late']
}
