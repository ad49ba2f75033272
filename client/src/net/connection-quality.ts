// Rates a connection for slapping. Constant latency is compensated; jitter only as far as the judge's credit goes.
import type { LinkStats } from '../wire'

export type Quality = 'good' | 'fair' | 'poor'

const GOOD: LinkStats = { rtt_ms: 150, jitter_ms: 15 }
const FAIR: LinkStats = { rtt_ms: 300, jitter_ms: 40 }

const within = (line: LinkStats, limit: LinkStats) => line.rtt_ms <= limit.rtt_ms && line.jitter_ms <= limit.jitter_ms

export const connectionQuality = (line: LinkStats): Quality =>
  within(line, GOOD) ? 'good' : within(line, FAIR) ? 'fair' : 'poor'
