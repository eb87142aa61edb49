/** Exponential backoff: the first pause, doubled with each failure up to the longest. */
export const backoffMs = (
  failures: number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
): number => Math.min(firstMs * 2 ** failures, longestMs)
