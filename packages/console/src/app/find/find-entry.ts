/** In the order of the groups. */
export const findKinds = [
  'action',
  'page',
  'host',
  'package',
  'release',
  'rollout',
  'window',
  'cluster',
  'storage',
  'alert',
  'platform',
  'endpoint',
  'account',
  'user',
  'key',
  'job',
] as const
export type FindKind = (typeof findKinds)[number]

/** A page, an action or a record that can be found. */
export interface FindEntry {
  /** `host <uuid>` */
  readonly id: string
  readonly kind: FindKind
  readonly label: string
  readonly detail?: string | undefined
  /** Further words that find it, such as its name in the other language. */
  readonly words?: string | undefined
  readonly target: string | (() => void)
}

export interface FindGroup {
  readonly name: FindKind | 'recent'
  readonly entries: readonly FindEntry[]
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Every typed word occurs in the entry. */
export function matches({ label, detail = '', words = '' }: FindEntry, text: string): boolean {
  const searched = `${label} ${detail} ${words}`.toLowerCase()
  return wordsOf(text).every((word) => searched.includes(word))
}

/** Lower is better: the label begins with the text, one of its words does, or it only contains it. */
function rank({ label }: FindEntry, text: string): number {
  const [first = ''] = wordsOf(text)
  const name = label.toLowerCase()
  if (name.startsWith(first)) return 0
  return name.split(/[\s/_.-]+/).some((word) => word.startsWith(first)) ? 1 : 2
}

/** The entries that match, recently used ones first. Records are found by the server, the rest here. */
export function groupEntries(
  entries: readonly FindEntry[],
  { text, recent }: { readonly text: string; readonly recent: readonly FindEntry[] },
): FindGroup[] {
  const current = new Map(entries.map((entry) => [entry.id, entry]))
  // an entry that is known here has its current name and target
  const used = recent.map((entry) => current.get(entry.id) ?? entry).filter((entry) => matches(entry, text))
  const isUsed = new Set(used.map(({ id }) => id))
  const others = entries.filter((entry) => !isUsed.has(entry.id) && matches(entry, text))
  const sorted = others.toSorted((one, other) => rank(one, text) - rank(other, text))
  return [
    { name: 'recent' as const, entries: used },
    ...findKinds.map((name) => ({ name, entries: sorted.filter(({ kind }) => kind === name) })),
  ].filter(({ entries: found }) => found.length > 0)
}
