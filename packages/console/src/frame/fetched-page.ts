import { type ComponentType, lazy } from 'react'
import type { PageProps } from './page-props.ts'

type Load = () => Promise<{ default: ComponentType<PageProps> }>

/** A piece of the console could not be fetched: the server was away, or has another version of it by now. */
export class NotFetched extends Error {
  override readonly name = 'NotFetched'
}

/** Until then the first page has all there is for itself. */
const beforehandMs = 3000

const loads: Load[] = []

export function fetchedPage(load: Load) {
  loads.push(load)
  return lazy(() =>
    load().catch((cause: unknown) => {
      throw new NotFetched(String(cause), { cause })
    }),
  )
}

/** Fetches the other pages while nobody waits for them: a server that is away later takes no page with it. */
export function fetchBeforehand(): () => void {
  const timer = setTimeout(async () => {
    for (const load of loads) await load().catch(() => {})
  }, beforehandMs)
  return () => clearTimeout(timer)
}
