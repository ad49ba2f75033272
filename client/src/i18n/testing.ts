// The tests of the pure parts read English. Run before each by vitest, and imported by nobody.
import { loadTexts } from './language'

await loadTexts('first', 'start', 'room', 'wait', 'late')
