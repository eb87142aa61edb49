import { type ComponentType, lazy } from 'react'
import type { Route } from '../browser/route.ts'

type Load = () => Promise<{ default: ComponentType<Route> }>

/** A piece of the console could not be fetched: the server was away, or has another version of it by now. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError'
}

/** Until then the first page has all there is for itself. */
const prefetchDelayMs = 3000

const loads: Load[] = []

export function lazyPage(load: Load) {
  loads.push(load)
  return lazy(() =>
    load().catch((cause: unknown) => {
      throw new PageLoadError(String(cause), { cause })
    }),
  )
}

/** Fetches the other pages while nobody waits for them: a server that is away later takes no page with it. */
export function prefetchPages(): () => void {
  const timer = setTimeout(async () => {
    for (const load of loads) await load().catch(() => {})
  }, prefetchDelayMs)
  return () => clearTimeout(timer)
}
