/** At least one each, and more for those with many calls, though not in proportion: one may have a hundred times as many. */
export function sharesOf(counts: readonly number[], runs: number): number[] {
  const shares = counts.map(() => 1)
  for (let left = runs - shares.length; left > 0; left--) {
    const wants = counts.map((count, index) => {
      const share = shares[index] ?? 0
      return share < count ? Math.sqrt(count) / share : 0
    })
    const most = wants.indexOf(Math.max(...wants))
    if ((wants[most] ?? 0) === 0) break
    shares[most] = (shares[most] ?? 0) + 1
  }
  return shares
}
