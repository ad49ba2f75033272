// Whether things may move, for pages that have no table too.

import { mediaQuery } from '../browser/media'

/** Whether the user prefers reduced motion. */
export const prefersReducedMotion = mediaQuery('(prefers-reduced-motion: reduce)')

/** A duration, or 1 ms with reduced motion. */
export const motionMs = (ms: number) => (prefersReducedMotion() ? 1 : ms)
