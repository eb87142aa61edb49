import type { Cli } from './cli.ts'
import { telling } from './connection-news.ts'
import { printable } from './output/printable.ts'
import { Interrupted } from './refusals.ts'

/** Data, so it goes to standard output; on a terminal it may not steer it. What is followed has no end yet: one JSON per line. */
export async function writeLog(cli: Cli, jobUuid: string, follow: boolean): Promise<void> {
  const stop = new AbortController()
  const ignore = cli.io.onInterrupt(() => stop.abort())
  try {
    const lines = (await cli.wharf()).job(jobUuid).log({ follow, signal: stop.signal, ...telling(cli) })
    if (cli.out.form === 'json' && !follow)
      return cli.out.list(
        (await Array.fromAsync(lines)).map((line) => ({ line })),
        [],
      )
    for await (const line of lines) cli.out.item({ line }, cli.io.stdout.isTTY ? printable(line) : line)
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted(`The job goes on: wharf job show ${jobUuid}`) : error
  } finally {
    ignore()
  }
}
