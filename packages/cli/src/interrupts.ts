import type { Cli } from './cli.ts'
import { Interrupted } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import type { Progress } from './output/progress.ts'

/** Aborts the work on Ctrl-C, and then exits with this message. */
export async function untilInterrupted(
  cli: Cli,
  message: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const removeListener = cli.io.onInterrupt(() => stop.abort())
  try {
    await work(stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted(message) : error
  } finally {
    removeListener()
  }
}

/** Calls `onFirst` on the first Ctrl-C and exits on the second. */
export function handleInterrupts(cli: Cli, progress: Pick<Progress, 'end'>, onFirst: () => void): () => void {
  let isSecond = false
  return cli.io.onInterrupt(() => {
    if (!isSecond) {
      isSecond = true
      return onFirst()
    }
    progress.end()
    cli.io.exitNow(exitCodes.interrupted)
  })
}
