/** The number of edits (insert, delete, replace, swap neighbours) that make `b` of `a`. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    const [above = [], twoAbove = []] = [rows[i - 1], rows[i - 2]]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** The candidates nearest to the text, if a typing error explains the difference. */
export function similarTo(text: string, candidates: readonly string[]): string[] {
  const maxDistance = Math.max(1, Math.floor(text.length / 3))
  const distances = candidates.map((candidate) => ({
    candidate,
    distance: editDistance(text.toLowerCase(), candidate.toLowerCase()),
  }))
  const least = Math.min(maxDistance, ...distances.map(({ distance }) => distance))
  return distances.filter(({ distance }) => distance === least).map(({ candidate }) => candidate)
}

/** `did you mean tags.create?`, or undefined. */
export function suggestion(text: string, candidates: readonly string[]): string | undefined {
  const similar = similarTo(text, candidates)
  return similar.length > 0 ? `did you mean ${similar.join(' or ')}?` : undefined
}
