// Observes the sizes of elements; where the browser cannot, those of the window.
export interface SizeObserver {
  observe(element: Element): void
  disconnect(): void
}

export function sizeObserver(changed: () => void): SizeObserver {
  try {
    return new ResizeObserver(changed)
  } catch {
    return {
      observe: () => addEventListener('resize', changed),
      disconnect: () => removeEventListener('resize', changed),
    }
  }
}
