/** In UTC with milliseconds: lines follow each other within a second. */
export const preciseTime = (ms: number): string => new Date(ms).toISOString()
