export type KnownLabels = ReadonlyMap<string, readonly string[]>

const field = 'labels.'

export const labelField = (name: string): string => `${field}${name}`

/** The names of the labels that conditions of the URL filter by. */
const namesIn = (conditions: readonly string[]): string[] =>
  conditions.flatMap((condition) => /^labels\.([\w./-]+)/.exec(condition)?.[1] ?? [])

/** The labels of these hosts and of the filter, by name, with their values. */
export function knownLabels(
  hosts: readonly { readonly labels?: Readonly<Record<string, string>> | undefined }[],
  conditions: readonly string[] = [],
): KnownLabels {
  const values = new Map<string, Set<string>>(namesIn(conditions).map((name) => [name, new Set()]))
  for (const { labels = {} } of hosts)
    for (const [name, value] of Object.entries(labels)) values.set(name, (values.get(name) ?? new Set()).add(value))
  return new Map(
    [...values]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, found]) => [name, [...found].toSorted()] as const),
  )
}
