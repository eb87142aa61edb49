/** RFC 9110, 7.6.1: these speak of one connection, and end with it. `Expect` has had its answer. */
const ofTheConnection = new Set([
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

/** As they were sent, in their order: names and values by turns. Without those that are named, in lower case. */
export function passedOn(rawHeaders: readonly string[], without: readonly string[] = []): string[] {
  const dropped = new Set([...ofTheConnection, ...without])
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2))
  for (const [name = '', value = ''] of pairs)
    if (name.toLowerCase() === 'connection')
      for (const option of value.split(',')) dropped.add(option.trim().toLowerCase())
  return pairs.filter(([name = '']) => !dropped.has(name.toLowerCase())).flat()
}
