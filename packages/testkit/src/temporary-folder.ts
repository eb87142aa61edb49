import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const requiredBytes = 4 * 2 ** 30

let chosen: string | undefined

/**
 * For the databases and data folders of tests: in memory, if there is enough. None of them has to outlive the machine, and a
 * commit mostly waits for the disk. No package may be stored there.
 */
export function temporaryFolder(): string {
  chosen ??= hasSpace(memory) ? memory : tmpdir()
  return chosen
}

/** Programs are started from it too. */
function hasSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === folder)
    return bavail * bsize >= requiredBytes && process.availableMemory() >= requiredBytes && !mounted?.includes('noexec')
  } catch {
    return false
  }
}
