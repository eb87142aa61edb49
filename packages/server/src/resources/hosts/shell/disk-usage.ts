import type { Usage } from '../driver.ts'

/** Runs df for the file system of the path or its nearest existing parent. */
export const usageScript = `
path=$1
while [ ! -e "$path" ]; do
  path=\${path%/*}
  [ -n "$path" ] || path=/
done
LC_ALL=C df -P -k "$path"`

const kibibyte = 1024

/** Device and mount point may contain spaces, so the figures are found by the columns around them. */
const row = /\s(\d+)\s+(?:\d+|-)\s+(-?\d+)\s+(?:\d+%|-)\s+\/.*$/

/** Undefined when it is not the table of POSIX, or not a size that a file system can have. */
export function readUsage(lines: readonly string[]): Usage | undefined {
  const match = row.exec(lines.at(-1) ?? '')
  if (match === null) return undefined
  const [, total, available] = match
  const totalCapacity = Number(total) * kibibyte
  // negative when files use a part of the reserve
  const availableCapacity = Math.max(Number(available), 0) * kibibyte
  if (!Number.isSafeInteger(totalCapacity) || !Number.isSafeInteger(availableCapacity)) return undefined
  return { totalCapacity, availableCapacity }
}
