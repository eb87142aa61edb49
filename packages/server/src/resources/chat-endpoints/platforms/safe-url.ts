/** A link must fit into the smallest part that any vendor takes (WeCom's text: 2,048 bytes) beside a heading. */
const maxUrlCharacters = 1000

/** A web address that no vendor's markup can mistake for its own, or nothing: it is then shown without a link. */
export function safeUrl(written: string): string | undefined {
  const url = URL.parse(written)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  // a name before the host makes an address look like another site's
  if (url.username !== '' || url.password !== '') return undefined
  const path = `${url.pathname}${url.search}${url.hash}`.replace(
    /[<>"'`\\|^{}()[\]*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const safe = url.origin + path
  return safe.length <= maxUrlCharacters ? safe : undefined
}
