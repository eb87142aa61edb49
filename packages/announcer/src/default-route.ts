/** The interface of the default route, from the routing tables in /proc/net. */

const isUp = 0x1

/** proc/net/route: interface, destination, gateway, flags, …, metric (seventh), mask (eighth) */
export function ipv4DefaultInterface(table: string): string | undefined {
  return preferred(
    rows(table)
      .filter(([, destination, , flags, , , , mask]) => isZero(destination) && isZero(mask) && isSet(flags))
      .map(([name, , , , , , metric]) => ({ name, metric: Number(metric) })),
  )
}

/** proc/net/ipv6_route: destination, its prefix, source, its prefix, gateway, metric, …, flags, interface */
export function ipv6DefaultInterface(table: string): string | undefined {
  return preferred(
    rows(table)
      .filter(([destination, prefix, , , , , , , flags]) => isZero(destination) && isZero(prefix) && isSet(flags))
      .map((row) => ({ name: row[9], metric: Number.parseInt(row[5] ?? '', 16) }))
      // without a default route Linux lists an unreachable route on the loopback interface
      .filter(({ name }) => name !== 'lo'),
  )
}

const rows = (table: string): string[][] => table.split('\n').map((line) => line.trim().split(/\s+/))

const isZero = (digits: string | undefined): boolean => digits !== undefined && /^0+$/.test(digits)

const isSet = (flags: string | undefined): boolean => (Number.parseInt(flags ?? '', 16) & isUp) !== 0

const preferred = (routes: readonly { name: string | undefined; metric: number }[]): string | undefined =>
  [...routes].sort((a, b) => a.metric - b.metric)[0]?.name
