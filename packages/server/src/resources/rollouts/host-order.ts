interface OrderedHost {
  readonly uuid: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byName = (a: OrderedHost, b: OrderedHost): number => byText(a.name, b.name) || byText(a.uuid, b.uuid)

/**
 * By name, or with a label to spread by: every part of the list has the same share of the hosts of each value, so that no
 * wave contains all hosts of one zone.
 */
export function orderHosts<Host extends OrderedHost>(hosts: readonly Host[], spreadBy: string | null): Host[] {
  const sorted = hosts.toSorted(byName)
  if (spreadBy === null) return sorted
  const groups = Map.groupBy(
    sorted,
    ({ labels }) => (Object.hasOwn(labels, spreadBy) ? labels[spreadBy] : undefined) ?? '',
  )
  return [...groups.entries()]
    .toSorted(([a], [b]) => byText(a, b))
    .flatMap(([, members]) => members.map((host, index) => ({ host, position: (index + 0.5) / members.length })))
    .toSorted((a, b) => a.position - b.position)
    .map(({ host }) => host)
}
