import type { HostMeasurement, Usage } from '../driver.ts'
import { readUsage, usageScript } from './disk-usage.ts'

/**
 * Prints one value per line; what the system does not have is absent or empty. A folder on a server that does not answer
 * blocks df, so the file system of the packages is measured only where a program can end df.
 */
export const measurementScript = `
export LC_ALL=C
echo "disk=$(df -P -k / | tail -n 1)"
[ -z "$1" ] || ! command -v timeout >/dev/null 2>&1 ||
  echo "packagesDisk=$(timeout -s KILL 3 sh -c '${usageScript}' wharf "$1" 2>/dev/null | tail -n 1)"
{ read -r load1 others </proc/loadavg; } 2>/dev/null && echo "load1=$load1"
echo "processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null)"
sed -n -e 's/^MemTotal:/memoryTotal=/p' -e 's/^MemAvailable:/memoryAvailable=/p' /proc/meminfo 2>/dev/null
true`

const kibibyte = 1024
/** A value from this on is not a measurement. */
const loadLimit = 1e6
const processorLimit = 1e5

/** Undefined when the size of the root file system is unknown. */
export function readMeasurement(lines: readonly string[]): HostMeasurement | undefined {
  const values = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  const disk = usageIn(values.get('disk'))
  if (disk === undefined) return undefined
  const total = readKibibytes(values.get('memoryTotal'))
  const available = readKibibytes(values.get('memoryAvailable'))
  return {
    disk,
    packagesDisk: usageIn(values.get('packagesDisk')) ?? null,
    load1: readNumber(values.get('load1'), loadLimit),
    processors: readNumber(values.get('processors'), processorLimit),
    memory: total === null || available === null ? null : { totalCapacity: total, availableCapacity: available },
  }
}

const usageIn = (row: string | undefined): Usage | undefined => (row === undefined ? undefined : readUsage([row]))

function readNumber(text = '', limit: number): number | null {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : limit
  return value < limit ? value : null
}

/** `  16384 kB` */
function readKibibytes(text = ''): number | null {
  const [, count] = /^\s*(\d+) kB$/.exec(text) ?? []
  const bytes = Number(count) * kibibyte
  return Number.isSafeInteger(bytes) ? bytes : null
}
