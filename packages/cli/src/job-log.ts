import type { Cli } from './cli.ts'
import type { OptionSpecs } from './command.ts'
import { untilInterrupted } from './interrupts.ts'
import { reportReconnects } from './outage.ts'
import { hasColours } from './output/colours.ts'
import { styledLine, unstyledLine } from './output/styled-line.ts'
import { jobOptions } from './run-operation.ts'

export const logOptions = {
  '-f, --follow': { help: 'follow until the job ends; JSON is one object per line' },
  '--timestamps': jobOptions['--timestamps'],
} as const satisfies OptionSpecs

interface LogFlags {
  readonly follow?: boolean
  readonly timestamps?: boolean
}

/** Prints the log to stdout; with `follow` JSON is one object per line, because the log has no end yet. */
export const printJobLog = (cli: Cli, jobUuid: string, { follow, timestamps }: LogFlags): Promise<void> =>
  untilInterrupted(cli, `The job continues: wharf job show ${jobUuid}`, async (signal) => {
    const job = (await cli.wharf()).job(jobUuid)
    const lines = job.log({ follow, timestamps, signal, ...reportReconnects(cli) })
    const itemOf = timestamps ? timedLine : (line: string) => ({ line })
    if (!cli.out.isTable && cli.out.form !== 'ndjson' && !follow)
      return cli.out.list((await Array.fromAsync(lines)).map(itemOf), [])
    const { stdout, env } = cli.io
    for await (const line of lines)
      cli.out.item(itemOf(line), stdout.isTTY ? styledLine(line, hasColours(stdout, env)) : unstyledLine(line))
  })

function timedLine(text: string): { time: string; line: string } {
  const end = text.indexOf(' ')
  return { time: text.slice(0, end), line: text.slice(end + 1) }
}
