import type { Cli } from './cli.ts'
import { untilInterrupted } from './interrupts.ts'
import { reportReconnects } from './outage.ts'
import { printable } from './output/printable.ts'

/** Prints the log to stdout; with `follow` JSON is one object per line, because the log has no end yet. */
export const printJobLog = (cli: Cli, jobUuid: string, follow: boolean): Promise<void> =>
  untilInterrupted(cli, `The job continues: wharf job show ${jobUuid}`, async (signal) => {
    const lines = (await cli.wharf()).job(jobUuid).log({ follow, signal, ...reportReconnects(cli) })
    if (!cli.out.isTable && cli.out.form !== 'ndjson' && !follow)
      return cli.out.list(
        (await Array.fromAsync(lines)).map((line) => ({ line })),
        [],
      )
    for await (const line of lines) cli.out.item({ line }, cli.io.stdout.isTTY ? printable(line) : line)
  })
