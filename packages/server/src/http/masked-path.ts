/** Session ids stand in paths, tokens in queries: neither belongs in a log. */
export function maskedPath(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  const mayHide = path.includes('/sessions/') || path.includes('%') || path.includes('//')
  const shown = mayHide
    ? unescaped(path)
        .replace(/\/\/[^/]*@/, '//')
        .replace(/(\/sessions\/)[^/]+/, '$1[session]')
    : path
  return shown.slice(0, 500)
}

/** As the router reads it, or `/s%65ssions/` would go unmasked. */
function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '[unreadable]'
  }
}
