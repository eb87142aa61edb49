import { ApiError } from '@wharf/platform/api-error.ts'

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 }

export const durationPattern = '^[1-9][0-9]{0,4}[smh]$'
/** Longer than any hook needs, and near the limit of timers. */
const maxDurationMs = 7 * 24 * 3_600_000

/** `90s`, `10m`, `2h`: a whole number and a unit. */
export function parseDuration(text: string): number {
  const ms = new RegExp(durationPattern).test(text) ? Number.parseInt(text, 10) * (unitMs[text.at(-1) ?? ''] ?? 0) : 0
  if (ms === 0 || ms > maxDurationMs)
    throw new ApiError(
      'SoftwarePackage.1132',
      `${JSON.stringify(text)} is not a duration such as 90s, 10m or 2h, up to 168h`,
    )
  return ms
}
