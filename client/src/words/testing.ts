// The tests of the pure parts read English. Run before each by vitest, and imported by nobody.
import { learn } from '../words'

await learn('first', 'start', 'room', 'wait', 'late')
