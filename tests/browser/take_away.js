// Takes optional features of the browser away from a page, or breaks them, before its scripts run. `names` are names of
// client/browser-features.json: a global, an interface, or `Interface.member`; `how` is how they fail.
(names, how) => {
  const { DOMException } = window
  function refuse() {
    const refused = Promise.reject(new DOMException('Not allowed.', 'NotAllowedError'))
    refused.catch(() => {}) // a function that should promise nothing is not waited for
    return refused
  }
  const fail = {
    missing: undefined,
    throwing: () => { throw new DOMException('The operation is insecure.', 'SecurityError') },
    refusing: refuse,
    silent: () => undefined,
  }[how]
  const define = (owner, name, what) => {
    try {
      Object.defineProperty(owner, name, { configurable: true, ...what })
    } catch {}
  }
  const isClass = (value) => typeof value === 'function' && /^[A-Z]/.test(value.name)

  function breakMember(owner, name) {
    const own = owner && Object.getOwnPropertyDescriptor(owner, name)
    if (!own) return
    if (how === 'missing') return void delete owner[name]
    if (typeof own.value === 'function') define(owner, name, { value: fail, writable: true })
    else if (how === 'throwing') define(owner, name, { get: fail })
    else if (how === 'silent') define(owner, name, { get: fail, set() {} })
    // a value is not refused: what it gives is
  }

  function breakGlobal(name) {
    const value = (() => { try { return window[name] } catch {} })()
    if (value === undefined) return
    if (how === 'missing') define(window, name, { value: undefined, writable: true })
    else if (how === 'throwing') define(window, name, isClass(value) ? { value: fail, writable: true } : { get: fail })
    else if (isClass(value)) for (const member of Object.getOwnPropertyNames(value.prototype)) member === 'constructor' || breakMember(value.prototype, member)
    else if (typeof value === 'function') define(window, name, { value: fail, writable: true })
    else for (let type = Object.getPrototypeOf(value); type && type !== Object.prototype; type = Object.getPrototypeOf(type)) for (const member of Object.getOwnPropertyNames(type)) member === 'constructor' || breakMember(type, member)
  }

  for (const name of names) {
    const [type, member] = name.split('.')
    if (type === 'Intl') breakMember(Intl, member)
    else if (!member) breakGlobal(type)
    else for (const owner of [window[type]?.prototype, Navigator.prototype, Document.prototype, Element.prototype, History.prototype]) breakMember(owner, member)
  }
}
