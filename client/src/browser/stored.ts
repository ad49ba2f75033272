// Reads stored data field by field. It may be of any version of this page, or of none: a field that is not as its check
// demands has its default.

export type Check<T> = (value: unknown) => value is T

/** Settings are read before the polyfills are there: `Object.hasOwn` is not in the oldest browsers. */
const has = (object: object, name: string): boolean => Object.prototype.hasOwnProperty.call(object, name)

export const isText: Check<string> = (value) => typeof value === 'string'
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean'
export const isWhole =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check<number> =>
  (value): value is number =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
export const isOneOf =
  <T>(...values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.includes(value as T)
export const isKeyOf =
  <K extends string>(names: Readonly<Record<K, unknown>>): Check<K> =>
  (value): value is K =>
    typeof value === 'string' && has(names, value)
export const isNullOr =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value)
export const isListOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(check)
export const isObject: Check<Record<string, unknown>> = (value): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Checks<T> = { readonly [K in keyof T]: Check<T[K]> }

/** An object of which every field is as its check demands. */
export const isShape =
  <T extends object>(checks: Checks<T>): Check<T> =>
  (value): value is T =>
    isObject(value) && (Object.keys(checks) as (keyof T & string)[]).every((name) => checks[name](value[name]))

/** The fields of a stored object: each as stored if it is as its check demands, or without one of the type of its default;
    else the default. */
export function fieldsOf<T extends object>(stored: unknown, defaults: T, checks: Partial<Checks<T>>): T {
  const fields = { ...defaults }
  if (!isObject(stored)) return fields
  for (const name of Object.keys(defaults) as (keyof T & string)[]) {
    const value = has(stored, name) ? stored[name] : undefined
    if (checks[name] ? checks[name](value) : typeof value === typeof defaults[name])
      fields[name] = value as T[typeof name]
  }
  return fields
}

/** A stored text as data; null if it is none. */
export function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
