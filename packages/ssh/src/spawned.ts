import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { ApiError } from '@wharf/platform/api-error.ts'

/** Ends when the process runs; a program that cannot be started throws. */
export async function spawned<Child extends ChildProcessWithoutNullStreams>(child: Child): Promise<Child> {
  // whoever writes to a program that has ended learns it from the end, not from the pipe
  child.stdin.on('error', () => {})
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new ApiError('SYS.1016', `${child.spawnfile} cannot be started on this node`, { cause })
  }
  return child
}
