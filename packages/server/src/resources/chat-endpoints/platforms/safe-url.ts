/** A link must fit into the smallest part of any vendor (WeCom's text: 2,048 bytes) beside a heading. */
const maxUrlCharacters = 1000

/** A web address without markup characters of any vendor; undefined when the text must be shown without a link. */
export function safeUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  // a user name before the host can imitate another site
  if (url.username !== '' || url.password !== '') return undefined
  const path = `${url.pathname}${url.search}${url.hash}`.replace(
    /[<>"'`\\|^{}()[\]*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const safe = url.origin + path
  return safe.length <= maxUrlCharacters ? safe : undefined
}
