import { useSyncExternalStore } from 'react'

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

export function navigate(link: string, { replace = false } = {}): void {
  if (link === location.hash) return
  if (replace) {
    history.replaceState(null, '', link)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } else location.hash = link
}

function listen(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(listen, () => location.hash))
}
