// The languages that the browser asks for, the preferred one first; none if it does not say.
export function browserLanguages(): readonly string[] {
  try {
    const { languages, language } = navigator as { languages?: unknown; language?: unknown }
    const found: unknown[] = Array.isArray(languages) ? languages : [language]
    return found.filter((tag) => typeof tag === 'string')
  } catch {
    return []
  }
}
