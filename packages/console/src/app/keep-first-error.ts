/** The first error and everything else: several red bars hide the page, and the next one follows when the first is dismissed. */
export function keepFirstError<F extends { readonly type?: string }>(flashes: readonly F[]): F[] {
  const first = flashes.findIndex(({ type }) => type === 'error')
  return flashes.filter(({ type }, index) => type !== 'error' || index === first)
}
