/** The used share at which the bar shows a warning, and an error. */
const nearlyFull = 0.8
const full = 0.95

export interface CapacityUse {
  /** Used, from 0 to 1. */
  readonly share: number
  readonly level: 'normal' | 'nearly-full' | 'full'
}

export function capacityUse(total: number, available: number): CapacityUse {
  const share = Math.min(1, Math.max(0, 1 - available / total))
  return { share, level: share >= full ? 'full' : share >= nearlyFull ? 'nearly-full' : 'normal' }
}
