// My reaction times in one game, kept in this tab so that a reload does not lose them.

const key = (game: string) => `ratscrew:times:${game}`

export interface Tally {
  best: number | null
  median: number | null
}

export function noteTime(game: string, us: number) {
  sessionStorage.setItem(key(game), JSON.stringify([...times(game), us]))
}

export function tally(game: string): Tally {
  const sorted = times(game).sort((a, b) => a - b)
  const half = sorted.length >> 1
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[half]]
  return { best: ms(sorted[0]), median: low === undefined || high === undefined ? null : ms((low + high) / 2) }
}

export const ms = (us: number | undefined) => (us === undefined ? null : Math.round(us / 1000))

function times(game: string): number[] {
  return JSON.parse(sessionStorage.getItem(key(game)) ?? '[]') as number[]
}
