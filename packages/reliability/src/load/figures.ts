/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** The increase of a value per sample, by linear regression. */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const covariance = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  const variance = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  return variance === 0 ? 0 : covariance / variance
}
