import { createWriteStream, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Wharf } from '@wharf/sdk'
import { digestsFile } from '../../audit/read-digests.ts'
import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { untilInterrupted } from '../../interrupts.ts'
import { parsePeriod } from '../../time-options.ts'

const formats = ['ndjson', 'csv', 'ocsf'] as const
type Format = (typeof formats)[number]

export const exportCommand = command({
  name: 'export',
  summary: 'Export the entries of a period in the order of the trail',
  more: 'Without a file, the entries are printed. With a file, an export in NDJSON also writes FILE.digests, which wharf audit verify needs.',
  arguments: { '[file]': { help: 'new file to write' } },
  options: {
    '--from <time>': { help: 'start of the period (default: the oldest entry)' },
    '--to <time>': { help: 'end of the period (default: now)' },
    '--format <format>': {
      help: 'ndjson can be verified; csv; ocsf: API Activity of OCSF 1.6',
      choices: formats,
      default: 'ndjson',
    },
  },
  examples: [
    'audit export audit.ndjson',
    'audit export november.csv --format csv --from 2026-11-01 --to 2026-12-01',
    'audit export --format ocsf | gzip > audit.ocsf.gz',
  ],
  run: (cli, { file }, { from, to, format }) =>
    untilInterrupted(cli, '', async (signal) => {
      parsePeriod({ from, to })
      const options = { from, to, format: format as Format, signal }
      if (file === undefined) return printExport(cli, options)
      const digests = format === 'ndjson' ? digestsFile(file) : undefined
      requireFolder(file)
      for (const path of [file, digests]) requireAbsent(path)
      const wharf = await cli.wharf()
      // before the entries: a digest that is signed meanwhile may cover entries that follow them
      const digestLines = digests === undefined ? '' : await wharf.exportAuditDigests({ from, signal })
      await writeExport(wharf, file, options)
      if (digests !== undefined) writeFileSync(digests, digestLines, { mode: 0o600 })
      cli.report(`Exported to ${file}${digests === undefined ? '' : `, its digests to ${digests}`}.`, {
        file,
        digests: digests ?? null,
      })
    }),
})

type Options = NonNullable<Parameters<Wharf['exportAuditEntries']>[0]>

async function printExport(cli: Cli, options: Options): Promise<void> {
  const decoder = new TextDecoder()
  for await (const bytes of (await cli.wharf()).exportAuditEntries(options)) {
    cli.out.raw(decoder.decode(bytes, { stream: true }))
    await cli.io.flush()
  }
}

/** A file with its final name is complete. */
async function writeExport(wharf: Wharf, file: string, options: Options): Promise<void> {
  const partial = `${file}.partial`
  try {
    await pipeline(Readable.from(wharf.exportAuditEntries(options)), createWriteStream(partial, { mode: 0o600 }))
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

function requireFolder(file: string): void {
  const folder = dirname(file)
  if (!existsSync(folder))
    throw new UsageError(`the folder ${folder} does not exist; create it, or choose another file`)
}

/** Exports are evidence, so none is replaced. */
function requireAbsent(path: string | undefined): void {
  if (path !== undefined && existsSync(path)) throw new UsageError(`${path} already exists; choose another file`)
}
