import type { Cli } from './cli.ts'
import type { OptionSpecs } from './command.ts'
import { untilInterrupted } from './interrupts.ts'
import { reportReconnects } from './outage.ts'
import { hasColours } from './output/colours.ts'
import { styledLine, unstyledLine } from './output/styled-line.ts'
import { jobOptions } from './run-operation.ts'
import { timedLine } from './shown-log.ts'
import { stepTitles } from './step-titles.ts'

export const logOptions = {
  '-f, --follow': { help: 'follow until the job ends; JSON is one object per line' },
  '--timestamps': jobOptions['--timestamps'],
} as const satisfies OptionSpecs

interface LoggedJob {
  readonly uuid: string
  readonly operation: string
}

interface LogFlags {
  readonly follow?: boolean
  readonly timestamps?: boolean
}

/** Prints the log to stdout, in JSON as it is stored; with `follow` that is one object per line, because the log has no end yet. */
export const printJobLog = (
  cli: Cli,
  { uuid, operation }: LoggedJob,
  { follow, timestamps }: LogFlags,
): Promise<void> =>
  untilInterrupted(cli, `The job continues: wharf job show ${uuid}`, async (signal) => {
    const job = (await cli.wharf()).job(uuid)
    const { titledLine } = await stepTitles(operation)
    const lines = job.log({ follow, timestamps, signal, ...reportReconnects(cli) })
    const itemOf = (text: string) => (timestamps ? timedItem(text) : { line: text })
    if (!cli.out.isTable && cli.out.form !== 'ndjson' && !follow)
      return cli.out.list((await Array.fromAsync(lines)).map(itemOf), [])
    const { stdout, env } = cli.io
    for await (const text of lines) {
      const { time, line } = timestamps ? timedLine(text) : { time: '', line: text }
      const shown = time + titledLine(line)
      cli.out.item(itemOf(text), stdout.isTTY ? styledLine(shown, hasColours(stdout, env)) : unstyledLine(shown))
    }
  })

function timedItem(text: string): { time: string; line: string } {
  const { time, line } = timedLine(text)
  return { time: time.trimEnd(), line }
}
