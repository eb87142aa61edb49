/** One observer for all elements: a table has hundreds of cells. */
let observer: ResizeObserver | undefined
const listeners = new Map<Element, () => void>()

/** Calls `changed` with the first size and each further one. Returns a function that ends it. */
export function observeSize(element: Element, changed: () => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) listeners.get(target)?.()
  })
  listeners.set(element, changed)
  observer.observe(element)
  return () => {
    listeners.delete(element)
    observer?.unobserve(element)
  }
}
