/** Parts count as numbers, 4.9 before 4.10, and the interface's own versions come before ours (`wharf-…`). */
const age = new Intl.Collator('en', { numeric: true })

export const olderFirst = (a: string, b: string): number => age.compare(a, b)
