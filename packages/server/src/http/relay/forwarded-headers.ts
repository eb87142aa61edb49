/** RFC 9110, 7.6.1: these apply to one connection. `Expect` has already been answered. */
const connectionHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Names and values alternate, in the order sent; `without` lists further names to drop, in lower case. */
export function forwardedHeaders(rawHeaders: readonly string[], without: readonly string[] = []): string[] {
  const dropped = new Set([...connectionHeaders, ...without])
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2))
  for (const [name = '', value = ''] of pairs)
    if (name.toLowerCase() === 'connection')
      for (const option of value.split(',')) dropped.add(option.trim().toLowerCase())
  return pairs.filter(([name = '']) => !dropped.has(name.toLowerCase())).flat()
}
