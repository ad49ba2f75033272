// The clipboard.

/** Whether the text has been copied: browsers refuse it outside of secure pages, and to some pages in frames. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
