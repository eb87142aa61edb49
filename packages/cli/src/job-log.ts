import type { Cli } from './cli.ts'
import { printable } from './output/printable.ts'
import { Interrupted } from './refusals.ts'

/** Data, so it goes to standard output; on a terminal it may not steer it. */
export async function writeLog(cli: Cli, jobUuid: string, follow: boolean): Promise<void> {
  const stop = new AbortController()
  const ignore = cli.io.onInterrupt(() => stop.abort())
  try {
    for await (const line of (await cli.wharf()).job(jobUuid).log({ follow, signal: stop.signal }))
      cli.out.item({ line }, cli.io.stdout.isTTY ? printable(line) : line)
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted(`The job goes on: wharf job show ${jobUuid}`) : error
  } finally {
    ignore()
  }
}
