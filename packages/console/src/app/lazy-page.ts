import { type ComponentType, lazy } from 'react'
import type { Route } from '../browser/route.ts'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

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

export function lazyPage(load: Load<Route>) {
  prefetched(load)
  return lazyPart<Route>(load)
}

/** A part of the console that is loaded when it is first shown. */
export const lazyPart = <P extends object>(load: Load<P>) =>
  lazy<ComponentType<P>>(() =>
    load().catch((cause: unknown) => {
      throw new PageLoadError(String(cause), { cause })
    }),
  )

/** What not every browser has. */
interface BrowserConnection {
  readonly connection?: { readonly saveData?: boolean }
}

/** Loads the other pages in advance, so that they open while the server is unreachable; not for users who save data. */
export function prefetchPages(): () => void {
  if ((navigator as BrowserConnection).connection?.saveData) return () => {}
  const timer = setTimeout(async () => {
    for (const load of loads) await load().catch(() => {})
  }, prefetchDelayMs)
  return () => clearTimeout(timer)
}
