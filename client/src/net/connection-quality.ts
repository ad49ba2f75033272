// Rates a connection for slapping. Constant latency is compensated; jitter only as far as the judge's credit goes.
import type { Line } from '../wire'

export type Quality = 'good' | 'fair' | 'poor'

const GOOD: Line = { rtt_ms: 150, jitter_ms: 15 }
const FAIR: Line = { rtt_ms: 300, jitter_ms: 40 }

const within = (line: Line, limit: Line) => line.rtt_ms <= limit.rtt_ms && line.jitter_ms <= limit.jitter_ms

export const connectionQuality = (line: Line): Quality => (within(line, GOOD) ? 'good' : within(line, FAIR) ? 'fair' : 'poor')
