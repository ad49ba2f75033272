// This browser's progress in the lessons.
import { local } from '../browser/storage'
import { LESSONS } from './lesson'

const KEY = 'ratscrew:lesson'

/** The number of the lesson to continue with; 0 again after the last. */
export function savedLesson(): number {
  const at = Number(local.get(KEY))
  return Number.isInteger(at) && at > 0 && at < LESSONS.length ? at : 0
}

export function saveLesson(at: number) {
  local.set(KEY, String(at))
}
