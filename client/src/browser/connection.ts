// What the browser says of the network; it may say nothing, or be wrong.
const ask = (question: () => boolean) => {
  try {
    return question()
  } catch {
    return false
  }
}

/** Whether the user wants to save data. */
export const savesData = () =>
  ask(() => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true)

/** Whether there is no network at all. */
export const isOffline = () => ask(() => navigator.onLine === false)
