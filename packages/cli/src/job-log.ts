import type { Cli } from './cli.ts'
import { Interrupted } from './errors.ts'
import { reportReconnects } from './outage.ts'
import { printable } from './output/printable.ts'

/** Prints the log to stdout; with `follow` JSON is one object per line, because the log has no end yet. */
export async function printJobLog(cli: Cli, jobUuid: string, follow: boolean): Promise<void> {
  const stop = new AbortController()
  const removeListener = cli.io.onInterrupt(() => stop.abort())
  try {
    const lines = (await cli.wharf()).job(jobUuid).log({ follow, signal: stop.signal, ...reportReconnects(cli) })
    if (cli.out.form === 'json' && !follow)
      return cli.out.list(
        (await Array.fromAsync(lines)).map((line) => ({ line })),
        [],
      )
    for await (const line of lines) cli.out.item({ line }, cli.io.stdout.isTTY ? printable(line) : line)
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted(`The job continues: wharf job show ${jobUuid}`) : error
  } finally {
    removeListener()
  }
}
