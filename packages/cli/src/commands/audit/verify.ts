import { createPublicKey, type KeyObject } from 'node:crypto'
import { closeSync, createReadStream, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { digestsFile, readDigests } from '../../audit/read-digests.ts'
import { capitalized, entriesText } from '../../audit/trail-problems.ts'
import { type TrailResult, verifyTrail } from '../../audit/verify-trail.ts'
import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { CommandError, UsageError } from '../../errors.ts'
import { parsePeriod } from '../../time-options.ts'

export const verify = command({
  name: 'verify',
  summary: 'Verify an export offline: that no entry was changed, added, removed or moved',
  more: 'Needs no server: only an export in NDJSON, its digests and the public key. The exit code is 1 when something does not match.',
  arguments: { '<export>': { help: 'file of wharf audit export; - reads stdin' } },
  options: {
    '--key <file>': { help: 'public key of the trail, from wharf audit key', required: true },
    '--digests <path>': { help: 'digests: a file, or a folder such as WHARF_AUDIT_DIGESTS (default: EXPORT.digests)' },
    '--from <time>': { help: 'start of the exported period, if it was limited; UTC unless the time has an offset' },
    '--to <time>': { help: 'end of the exported period, if it was limited' },
  },
  examples: [
    'audit verify audit.ndjson --key wharf-audit.pem',
    'audit verify audit.ndjson --key wharf-audit.pem --digests /mnt/audit/digests',
    'audit verify november.ndjson --key wharf-audit.pem --from 2026-11-01 --to 2026-12-01',
  ],
  async run(cli, { export: file }, { key, digests, from, to }) {
    if (file === '-' && digests === undefined) throw new UsageError('with - pass --digests PATH')
    if (file !== '-' && !existsSync(file)) throw new UsageError(`${file} does not exist`)
    if (file !== '-') refuseOtherFormat(file)
    const period = parsePeriod({ from, to })
    const result = await verifyTrail({
      lines: linesOf(cli, file),
      digests: readDigests(digests ?? digestsFile(file)),
      key: readKey(key),
      ...period,
    })
    cli.out.text(resultLines(result, from !== undefined).join('\n'), result)
    if (result.isValid) return
    const { problemCount } = result
    throw new CommandError(
      `the export does not match its digests: ${problemCount} problem${problemCount === 1 ? '' : 's'}`,
      hintOf(result, { from, to }),
    )
  },
})

/** Opens the file when the first line is read, after the other values are checked. */
async function* linesOf(cli: Cli, file: string): AsyncGenerator<string> {
  const input = file === '-' ? Readable.from(cli.io.inputStream()) : createReadStream(file)
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}

const otherFormats = { CSV: 'uuid,seq,', OCSF: '{"category_uid":' }

/** It was not tampered with; it only cannot be verified. */
function refuseOtherFormat(file: string): void {
  const start = readStart(file)
  for (const [format, expected] of Object.entries(otherFormats))
    if (start.startsWith(expected))
      throw new UsageError(
        `${file} is in ${format}: only an export in NDJSON can be verified`,
        'create one: wharf audit export FILE',
      )
}

function readStart(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(32)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

function readKey(file: string): KeyObject {
  const hint = 'get the key: wharf audit key > FILE'
  let pem: Buffer
  try {
    pem = readFileSync(file)
  } catch (error) {
    throw new UsageError(`the key ${file} cannot be read: ${(error as Error).message}`, hint)
  }
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // reported below
  }
  throw new UsageError(`${file} is not an Ed25519 public key in PEM`, hint)
}

function resultLines(result: TrailResult, isPeriod: boolean): string[] {
  const { problems, problemCount, firstSeq, lastSeq, provenFirstSeq, provenLastSeq, digestCount, provenDate } = result
  const [first] = problems
  if (first !== undefined) {
    const line = first.seq === null ? capitalized(first.text) : `${first.seq}: ${first.text}`
    return problemCount > 1 ? [line, `… ${problemCount - 1} more; -o json lists them`] : [line]
  }
  if (firstSeq === null || lastSeq === null || provenFirstSeq === null || provenLastSeq === null) return []
  const digests = digestCount === 1 ? 'the digest' : `${digestCount.toLocaleString('en')} digests, the last one`
  return [
    `Valid: ${entriesText(provenFirstSeq, provenLastSeq)} are complete and unchanged, proven by ${digests} of ${provenDate}.`,
    ...(firstSeq > 1 ? [absence(firstSeq, result, isPeriod)] : []),
    ...(provenFirstSeq > firstSeq
      ? [`Not proven: ${entriesText(firstSeq, provenFirstSeq - 1)}, whose previous entry is not in the export.`]
      : []),
    ...(lastSeq > provenLastSeq
      ? [`Not proven: ${entriesText(provenLastSeq + 1, lastSeq)}, whose digest is not in the export yet.`]
      : []),
  ]
}

function absence(firstSeq: number, { expiredSeq }: TrailResult, isPeriod: boolean): string {
  const entries = entriesText(1, firstSeq - 1)
  if (expiredSeq !== null && firstSeq <= expiredSeq + 1)
    return `Not in the export: ${entries}, which have expired, as a digest states.`
  if (isPeriod) return `Not in the export: ${entries}, before its period.`
  return `Not proven: ${entries}, which are not in the export: the newest digest is of an older version and does not state what has expired.`
}

/** Missing entries at an end may be outside of the period. */
function hintOf(
  { problems }: TrailResult,
  { from, to }: { from: string | undefined; to: string | undefined },
): string | undefined {
  const isMissing = problems.some(({ text }) => text.includes('missing'))
  return isMissing && from === undefined && to === undefined
    ? 'if the export was limited by --from or --to, pass the same times to wharf audit verify'
    : undefined
}
