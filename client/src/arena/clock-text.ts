/** Seconds as `4:05`, or `1:04:05` from an hour on. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
  const shown = parts[0] ? parts : parts.slice(1)
  return shown.map((part, i) => (i ? String(part).padStart(2, '0') : String(part))).join(':')
}
