// The public view after an event: applies the changes that the event carries. Contains no rules.
import type { EventMessage, View } from '../wire'

export type TableEvent = EventMessage['e']

/** An event with what it does to the view. */
export type EventWithChanges = Pick<EventMessage, 'e' | 'c' | 'view'>

/** The view after an event: a deal has a whole one. The standing is in the event, all else in its changes. */
export function viewAfter(before: View | null, { e: event, c: changes, view }: EventWithChanges): View | null {
  if (view || !before) return view ?? null
  const now = 'standing' in event ? { ...before, standing: event.standing } : before
  return changes ? (patched(now, changes) as View) : now
}

/** A value with changes: those of an object by field, of a list by index or as `[from, removed, ...added]`, or a new value. */
function patched(old: unknown, change: unknown): unknown {
  if (Array.isArray(change)) {
    const [from, removed, ...added] = change as [number, number, ...unknown[]]
    const list = old as unknown[]
    return [...list.slice(0, from), ...added, ...list.slice(from + removed)]
  }
  if (!change || typeof change !== 'object') return change
  const copy = (Array.isArray(old) ? [...(old as unknown[])] : { ...(old as object) }) as Record<string, unknown>
  for (const [key, inner] of Object.entries(change)) copy[key] = patched(copy[key], inner)
  return copy
}
