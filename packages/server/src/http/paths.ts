import { invalid } from '@wharf/platform/api-error.ts'

/** Rejects a path that two programs could parse differently. */
export function refuseAmbiguousPath(url: string): void {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  // the usual case, for every call
  if (!/[%\\]|(^|\/)\./.test(path)) return
  if (/%2f|%00|%5c|\\/i.test(path)) throw invalid('the path must not contain an encoded slash, a backslash or NUL')
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) throw invalid('the path must not contain dot segments')
}

export interface KnownPath {
  readonly method: string
  /** `/v1/hosts/{uuid}` */
  readonly path: string
  /** A stream has no HEAD: its length is unknown. */
  readonly mode?: string
}

/** The methods of a path, for 405. */
export function methodTable(known: readonly KnownPath[]): (path: string) => string[] {
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  for (const { method, path, mode } of known) {
    const entry = patterns.get(path) ?? { pattern: patternOf(path), methods: new Set<string>() }
    patterns.set(path, entry)
    entry.methods.add(method)
    if (method === 'GET' && mode !== 'stream') entry.methods.add('HEAD')
  }
  return (path) => {
    const methods = new Set<string>()
    for (const entry of patterns.values()) if (entry.pattern.test(path)) for (const m of entry.methods) methods.add(m)
    return [...methods].sort()
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}$`,
  )
