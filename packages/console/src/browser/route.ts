import { useSyncExternalStore } from 'react'
import { hasUnsavedForms, requestLeave } from './leave-guard.ts'

/**
 * The current page and record, in the hash of the URL, so that the console works under any prefix.
 * `#/packages/abc?tab=log` → `{ path: ['packages', 'abc'], search }`
 */
export interface Route {
  readonly path: readonly string[]
  readonly search: URLSearchParams
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decode), search: new URLSearchParams(search) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function linkTo(path: readonly string[], search: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${query && `?${query}`}`
}

/** The position in the history, stored in each entry, shows in which direction a step went. */
interface Shown {
  readonly hash: string
  readonly index: number
}

let shown: Shown | undefined
const listeners = new Set<() => void>()

const storedIndex = (): number | undefined => (history.state as { index?: number } | null)?.index

/** The route that is shown; the URL may be ahead of it until leaving is confirmed. */
const shownRoute = (): Shown => shown ?? routeInUrl()

const routeInUrl = (): Shown => ({ hash: location.hash, index: storedIndex() ?? 0 })

const pathOf = (hash: string): string => hash.split('?', 1)[0] ?? ''

/** Only a change of the path removes a form. */
const losesInput = (hash: string): boolean => hasUnsavedForms() && pathOf(hash) !== pathOf(shownRoute().hash)

export function navigate(link: string, { replace = false } = {}): void {
  if (link === location.hash) return
  const go = (): void => {
    if (replace) {
      history.replaceState(history.state, '', link)
      dispatchEvent(new HashChangeEvent('hashchange'))
    } else location.hash = link
  }
  if (losesInput(link)) requestLeave(go)
  else go()
}

/** A link, the history or the address bar has changed the URL. */
function followUrl(): void {
  const before = shownRoute()
  const { hash } = location
  if (hash === before.hash) return
  const known = storedIndex()
  const index = known ?? before.index + 1
  const steps = index - before.index
  if (steps !== 0 && losesInput(hash)) {
    // goes back until the user has confirmed: the form stays as it is
    history.go(-steps)
    requestLeave(() => (known === undefined ? navigate(hash) : history.go(steps)))
    return
  }
  if (known === undefined) history.replaceState({ index }, '', hash)
  shown = { hash, index }
  for (const listener of listeners) listener()
}

function listen(changed: () => void): () => void {
  if (listeners.size === 0) {
    shown = routeInUrl()
    addEventListener('hashchange', followUrl)
  }
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    shown = undefined
    removeEventListener('hashchange', followUrl)
  }
}

/** The hash of the route that is shown. */
export const routeStore = { subscribe: listen, read: (): string => shownRoute().hash }

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(routeStore.subscribe, routeStore.read))
}

/** The page and record alone: what uses it is not rendered again when a list is paged, sorted or filtered. */
export function usePath(): readonly string[] {
  return parseRoute(useSyncExternalStore(routeStore.subscribe, () => pathOf(routeStore.read()))).path
}
