import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { ApiError } from '@wharf/platform/api-error.ts'

/** Throws when the program cannot be started. */
export async function waitUntilSpawned<Child extends ChildProcessWithoutNullStreams>(child: Child): Promise<Child> {
  // the exit of the program is the failure; the broken pipe that follows it is not
  child.stdin.on('error', () => {})
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new ApiError('SYS.1016', `${child.spawnfile} cannot be started on this node`, { cause })
  }
  return child
}
