/** Of bytes, as decimal digits without leading zeros; beyond 2^53 it is only good for a comparison with a limit. */
export const parseWholeNumber = (text: string): number | undefined =>
  /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : undefined
