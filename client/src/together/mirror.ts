// Applies each call and assignment to two objects of the same class. Callbacks are called by the first only.

export function mirror<T extends object>(first: T, second: T): T {
  return new Proxy(first, {
    get(_, name) {
      const [one, other] = [Reflect.get(first, name) as unknown, Reflect.get(second, name) as unknown]
      if (typeof one !== 'function' || typeof other !== 'function')
        return isObject(one) && isObject(other) ? mirror(one, other) : one
      return (...given: unknown[]) => {
        const muted = given.map((each) => (typeof each === 'function' ? () => undefined : each))
        Reflect.apply(other, second, muted)
        return Reflect.apply(one, first, given) as unknown
      }
    },
    set: (_, name, value) => Reflect.set(first, name, value) && Reflect.set(second, name, value),
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
