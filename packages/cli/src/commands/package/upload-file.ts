import { statSync } from 'node:fs'
import type { Upload, UploadedPackage, UploadProgress, Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { CommandError, Interrupted, UsageError } from '../../errors.ts'
import { exitCodes } from '../../exit-codes.ts'
import { handleInterrupts } from '../../interrupts.ts'
import { maxOutageMs, reportOutage } from '../../outage.ts'
import { formatBytes } from '../../output/format-quantities.ts'
import { printable } from '../../output/printable.ts'
import type { Progress } from '../../output/progress.ts'
import { type JobFlags, reportStarted } from '../../run-operation.ts'
import { shownLog } from '../../shown-log.ts'
import { stepTitles } from '../../step-titles.ts'

export interface Destination {
  readonly name: string
  readonly type: string
  readonly installPath: string
  readonly hostUuid?: string | undefined
  readonly backupStorageUuid?: string | undefined
  readonly md5?: string | undefined
  readonly sha256?: string | undefined
}

/** The code of an aborted upload; a cancelled job has its own code. */
const abortedCode = 'SoftwarePackage.1133'

/** An upload may run for hours, so it tolerates a restart of the server. */
const retry = { tries: Number.POSITIVE_INFINITY, maxMs: maxOutageMs, maxPauseMs: 5000 }

class UploadAborted extends CommandError {
  override readonly exitCode = exitCodes.cancelled
}

/** Uploads a local file or stdin. Undefined with --async. */
export async function uploadFile(
  cli: Cli,
  source: string,
  destination: Destination,
  { label, async: isAsync, cancelOnInterrupt, timeout, ...logFlags }: JobFlags & { label: string },
): Promise<UploadedPackage | undefined> {
  if (timeout !== undefined) throw new UsageError('--timeout applies only to URLs, which the server downloads')
  const wharf = await cli.wharf()
  const operation = `UploadSoftwarePackage${destination.hostUuid === undefined ? 'ToBackupStorage' : ''}`
  const { titledLine } = await stepTitles(operation)
  const stop = new AbortController()
  let markSent = (): void => {}
  const sent = new Promise<void>((resolve) => {
    markSent = resolve
  })
  const phases = new UploadPhases(cli, label)
  const upload = wharf.upload(source === '-' ? cli.io.inputStream() : source, {
    ...destination,
    toBackupStorage: destination.hostUuid === undefined,
    signal: stop.signal,
    onProgress: (progress) => {
      if (progress.phase === 'processing') markSent()
      phases.update(progress)
    },
    retry,
    ...reportOutage(
      (line) => phases.print(line),
      () => phases.resumption,
    ),
    ...shownLog(cli, (line) => phases.print(line), { ...logFlags, titledLine }),
  })
  let isAborted = false
  const removeListener = handleInterrupts(cli, phases, () => {
    if (!cancelOnInterrupt) return stop.abort()
    isAborted = true
    phases.print('Aborting the upload. Press Ctrl-C again to exit without waiting.')
    upload.terminate().catch((error: Error) => phases.print(`Cannot abort: ${printable(error.message)}`))
  })
  try {
    if (isAsync) await Promise.race([sent, upload.done])
    if (isAsync && upload.packageUuid !== undefined) {
      await reportJob(cli, wharf, upload.packageUuid)
      return undefined
    }
    return await upload.done
  } catch (error) {
    phases.end()
    if (stop.signal.aborted) throw interrupted(upload, phases)
    const { code } = error as { code?: string }
    throw isAborted && code === abortedCode ? new UploadAborted('upload aborted; the server kept nothing') : error
  } finally {
    removeListener()
    phases.end()
  }
}

/** Checks the file before the server creates a record. */
export function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new UsageError(`no file ${path}`)
  if (!stats.isFile()) throw new UsageError(`${path} is not a file`, 'use - to upload stdin')
}

/** Prints only the uuid to stdout, for scripts. */
export function reportUploaded(cli: Cli, record: UploadedPackage): void {
  const { name, size, md5sum, uuid } = record
  cli.out.text(uuid, record)
  cli.info(`Uploaded ${name}: ${formatBytes(size)}, MD5 ${md5sum}.`)
}

async function reportJob(cli: Cli, wharf: Wharf, packageUuid: string): Promise<void> {
  const { newestJobUuid } = await import('@wharf/sdk')
  await reportStarted(cli, (await newestJobUuid(wharf, packageUuid)) ?? '')
}

function interrupted(upload: Upload, { last }: UploadPhases): Error {
  if (last?.phase === 'processing')
    return new Interrupted(`Stopped waiting. The server continues: wharf package show ${upload.packageUuid}`)
  // before the first response the server may have bytes of an earlier upload
  const kept = last === undefined ? 'The bytes that the server has' : formatBytes(last.sentBytes)
  return new Interrupted(`Stopped. ${kept} are kept for 72 hours; run the same command to resume.`)
}

/** One progress bar for sending and one for the processing on the server. */
class UploadPhases {
  readonly #cli: Cli
  readonly #label: string
  current: Progress
  last: UploadProgress | undefined

  constructor(cli: Cli, label: string) {
    this.#cli = cli
    this.#label = label
    this.current = cli.progress(label)
  }

  update(progress: UploadProgress): void {
    if (progress.phase !== (this.last?.phase ?? 'sending')) {
      this.current.end()
      this.current = this.#cli.progress(`${this.#label}, on the server`)
    }
    this.last = progress
    const { sentBytes, totalBytes, phase, percent } = progress
    const sent = totalBytes === undefined ? undefined : totalBytes === 0 ? 1 : sentBytes / totalBytes
    this.current.update(
      phase === 'processing'
        ? { fraction: (percent ?? 0) / 100 }
        : { fraction: sent, doneBytes: sentBytes, totalBytes },
    )
  }

  /** What resumes after an outage. */
  get resumption(): string {
    if (this.last === undefined) return 'the upload resumes'
    const { phase, sentBytes } = this.last
    return phase === 'processing' ? 'waiting for the job' : `the upload resumes at ${formatBytes(sentBytes)}`
  }

  print(line: string): void {
    this.current.print(line)
  }

  end(): void {
    this.current.end()
  }
}
