/** A reference implementation of the elaboration lookup, to compare the fast one with. */

interface NaiveEntry {
  readonly category: string
  readonly regex: string
  readonly method: 'regex' | 'distance'
}

/** Jaro and Winkler as a textbook writes them. */
export function naiveSimilarity(a: string, b: string): number {
  if (a === b) return 1
  const reach = Math.max(Math.floor(Math.max(a.length, b.length) / 2) - 1, 0)
  const taken = new Array<boolean>(b.length).fill(false)
  const matched: string[] = []
  for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - reach); j <= Math.min(b.length - 1, i + reach); j++) {
      if (taken[j] || a[i] !== b[j]) continue
      taken[j] = true
      matched.push(a[i] ?? '')
      break
    }
  }
  if (matched.length === 0) return 0
  const others = [...taken.keys()].filter((j) => taken[j]).map((j) => b[j])
  const transpositions = matched.filter((char, index) => char !== others[index]).length / 2
  const count = matched.length
  const jaro = (count / a.length + count / b.length + (count - transpositions) / count) / 3
  let prefix = 0
  while (prefix < 4 && prefix < a.length && a[prefix] === b[prefix]) prefix++
  return jaro + prefix * 0.1 * (1 - jaro)
}

/** The first pattern that matches, else the sentence most like the text; of entries with the longest first. */
export function naiveLookup<E extends NaiveEntry>(
  entries: readonly E[],
  matches: (entry: E) => boolean,
  text: string,
  category?: string,
): E | undefined {
  const isWanted = (entry: E): boolean => category === undefined || entry.category === category
  for (const entry of entries) if (entry.method === 'regex' && isWanted(entry) && matches(entry)) return entry
  let best: E | undefined
  let nearest = 0
  for (const entry of entries) {
    if (entry.method !== 'distance' || !isWanted(entry)) continue
    const similarity = naiveSimilarity(text, entry.regex)
    if (similarity >= 0.9 && similarity > nearest) {
      best = entry
      nearest = similarity
    }
  }
  return best
}
