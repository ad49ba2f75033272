// Chart scales and hit testing. Does not depend on what is drawn.

/** The top of a scale on which nearly everything has its place: what is far above the rest lies on its edge. */
export function ceiling(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const usual = sorted[Math.floor(sorted.length * 0.9)] ?? 0
  const most = Math.max(100, Math.min(sorted[sorted.length - 1] ?? 0, 1.8 * usual))
  const step = stepOf(most)
  return Math.ceil(most / step) * step
}

/** Round numbers from 0 on, some four of them. */
export function ticks(most: number): number[] {
  const step = stepOf(most)
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step)
}

function stepOf(most: number): number {
  const rough = Math.max(1, most / 4)
  const ten = 10 ** Math.floor(Math.log10(rough))
  return [1, 2, 2.5, 5, 10].map((by) => by * ten).find((step) => step >= rough && Number.isInteger(step))!
}

const REACH = 32 // a thumb is not exact

/** Whatever is drawn nearest to a place, if anything is near. */
export function near<T>(
  at: { x: number; y: number },
  all: readonly T[],
  place: (one: T) => { x: number; y: number },
): T | null {
  let found: T | null = null
  let least = REACH
  for (const one of all) {
    const { x, y } = place(one)
    const far = Math.hypot(at.x - x, at.y - y)
    if (far < least) [found, least] = [one, far]
  }
  return found
}
