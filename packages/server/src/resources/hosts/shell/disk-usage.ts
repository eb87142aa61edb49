import type { Usage } from '../driver.ts'

/** Prints what df knows of the file system that holds the path or its nearest existing parent. */
export const usageScript = `
path=$1
while [ ! -e "$path" ]; do
  path=\${path%/*}
  [ -n "$path" ] || path=/
done
LC_ALL=C df -P -k "$path"`

const kibibyte = 1024

/** Device and mount point may hold blanks, so the figures are found by what stands around them. */
const row = /\s(\d+)\s+(?:\d+|-)\s+(-?\d+)\s+(?:\d+%|-)\s+\/.*$/

/** Undefined when it is not the table that POSIX describes. */
export function readUsage(lines: readonly string[]): Usage | undefined {
  const match = row.exec(lines.at(-1) ?? '')
  if (match === null) return undefined
  const [, total, available] = match
  return {
    totalCapacity: Number(total) * kibibyte,
    // a file system can owe its owner what it keeps in reserve
    availableCapacity: Math.max(Number(available), 0) * kibibyte,
  }
}
