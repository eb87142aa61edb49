import { type ComponentType, lazy } from 'react'
import type { Route } from '../browser/route.ts'

type Load = () => Promise<{ default: ComponentType<Route> }>

/** The chunk of a page could not be loaded: the server is unreachable or has a new version. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError'
}

/** Leaves the bandwidth to the first page until then. */
const prefetchDelayMs = 3000

const loads: (() => Promise<unknown>)[] = []

/** Loads this in advance too. */
export function prefetched<T>(load: () => Promise<T>): () => Promise<T> {
  loads.push(load)
  return load
}

export function lazyPage(load: Load) {
  prefetched(load)
  return lazy(() =>
    load().catch((cause: unknown) => {
      throw new PageLoadError(String(cause), { cause })
    }),
  )
}

/** Loads the other pages in advance, so that they open while the server is unreachable. */
export function prefetchPages(): () => void {
  const timer = setTimeout(async () => {
    for (const load of loads) await load().catch(() => {})
  }, prefetchDelayMs)
  return () => clearTimeout(timer)
}
