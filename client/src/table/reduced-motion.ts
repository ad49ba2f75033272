// Whether things may move, for pages that have no table too.

const query = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether the user prefers reduced motion. */
export const prefersReducedMotion = () => query.matches

/** A duration, or 1 ms with reduced motion. */
export const motionMs = (ms: number) => (prefersReducedMotion() ? 1 : ms)
