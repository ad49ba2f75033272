// Unit tests use English. Run by vitest before each test file, and imported by nothing.
import { loadTexts } from './language'

await loadTexts('first', 'start', 'room', 'table', 'wait', 'late')
