import { invalid } from '@wharf/platform/api-error.ts'

interface Amount {
  readonly value: number
  readonly isPercentage: boolean
}

const readAmount = (text: string): Amount => ({
  value: Number(text.replace('%', '')),
  isPercentage: text.endsWith('%'),
})

/** Amounts are stored as text, however they were sent. */
export const amountText = (amount: string | number): string => String(amount)

/** Refuses waves that are not cumulative, whatever the number of hosts. */
export function checkWaves(waves: readonly string[]): void {
  if (waves.length === 0) throw invalid('params.waves must name at least one wave, such as 100%')
  const last = { count: 0, percentage: 0 }
  for (const text of waves) {
    const { value, isPercentage } = readAmount(text)
    const kind = isPercentage ? 'percentage' : 'count'
    if (value === 0 || (isPercentage && value > 100))
      throw invalid(`params.waves: ${text} must be at least 1 host, or more than 0% and at most 100%`)
    if (value < last[kind])
      throw invalid(`params.waves are cumulative: ${text} must not be less than the ${last[kind]} before it`)
    last[kind] = value
  }
}

export function checkMaxFailures(text: string): void {
  const { value, isPercentage } = readAmount(text)
  if (isPercentage && value > 100) throw invalid(`params.maxFailures: ${text} must be at most 100%`)
}

/** The size of each wave: cumulative amounts, rounded up; the last wave has all hosts that are left. */
export function waveSizes(waves: readonly string[], hosts: number): number[] {
  let before = 0
  return waves.map((text, index) => {
    const { value, isPercentage } = readAmount(text)
    // 10% of 70 are 7 hosts, not 8 because of a binary fraction
    const amount = isPercentage ? Math.ceil(Number(((hosts * value) / 100).toFixed(6))) : value
    const upTo = index === waves.length - 1 ? hosts : Math.max(before, Math.min(hosts, amount))
    const size = upTo - before
    before = upTo
    return size
  })
}

/** The failures that a wave of this size may have; a percentage is rounded down. */
export function allowedFailures(maxFailures: string | number, size: number): number {
  const { value, isPercentage } = readAmount(amountText(maxFailures))
  return isPercentage ? Math.floor(Number(((size * value) / 100).toFixed(6))) : value
}
