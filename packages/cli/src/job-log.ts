import type { Cli } from './cli.ts'
import { untilInterrupted } from './interrupts.ts'
import { reportReconnects } from './outage.ts'
import { hasColours } from './output/colours.ts'
import { styledLine, unstyledLine } from './output/styled-line.ts'

/** Prints the log to stdout; with `follow` JSON is one object per line, because the log has no end yet. */
export const printJobLog = (cli: Cli, jobUuid: string, follow: boolean): Promise<void> =>
  untilInterrupted(cli, `The job continues: wharf job show ${jobUuid}`, async (signal) => {
    const lines = (await cli.wharf()).job(jobUuid).log({ follow, signal, ...reportReconnects(cli) })
    if (!cli.out.isTable && cli.out.form !== 'ndjson' && !follow)
      return cli.out.list(
        (await Array.fromAsync(lines)).map((line) => ({ line })),
        [],
      )
    const { stdout, env } = cli.io
    for await (const line of lines)
      cli.out.item({ line }, stdout.isTTY ? styledLine(line, hasColours(stdout, env)) : unstyledLine(line))
  })
