import { statSync } from 'node:fs'
import type { Upload, UploadedPackage, UploadProgress, Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { exitCodes } from '../../exit-codes.ts'
import { maxOutageMs, reportOutage } from '../../outage.ts'
import { printable } from '../../output/printable.ts'
import type { Progress } from '../../output/progress.ts'
import { bytes } from '../../output/quantities.ts'
import { Interrupted, Refusal, UsageError } from '../../refusals.ts'
import { onInterrupts, tellStarted, type Waiting } from '../../waiting.ts'
import { tellUploaded } from './uploaded.ts'

export interface Destination {
  readonly name: string
  readonly type: string
  readonly installPath: string
  readonly hostUuid?: string | undefined
  readonly backupStorageUuid?: string | undefined
  readonly md5?: string | undefined
  readonly sha256?: string | undefined
}

/** How an upload ends whose address is gone; where its job was cancelled, that tells the end. */
const endedCode = 'SoftwarePackage.1133'

/** An upload may have run for hours: a server that restarts is waited for. */
const patience = { tries: Number.POSITIVE_INFINITY, maxMs: maxOutageMs, maxPauseMs: 5000 }

class GivenUp extends Refusal {
  override readonly exitCode = exitCodes.cancelled
}

/** Sends a file of this machine, or standard input. */
export async function uploadFile(
  cli: Cli,
  source: string,
  destination: Destination,
  { label, log, async: isAsync, cancelOnInterrupt, timeout }: Waiting & { label: string },
): Promise<void> {
  if (timeout !== undefined) throw new UsageError('--timeout is for what the server fetches by itself')
  const wharf = await cli.wharf()
  const stop = new AbortController()
  const sent = Promise.withResolvers<void>()
  const phases = new Phases(cli, label)
  const upload = wharf.upload(source === '-' ? cli.io.inputStream() : source, {
    ...destination,
    toBackupStorage: destination.hostUuid === undefined,
    signal: stop.signal,
    onProgress: (progress) => {
      if (progress.phase === 'processing') sent.resolve()
      phases.tell(progress)
    },
    retry: patience,
    ...reportOutage(
      (line) => phases.say(line),
      () => phases.resumption,
    ),
    onLog: log ? (line) => phases.say(printable(line)) : undefined,
  })
  let isGivenUp = false
  const ignore = onInterrupts(cli, phases, () => {
    if (!cancelOnInterrupt) return stop.abort()
    isGivenUp = true
    phases.say('Cancelling: nothing of it shall be kept. Ctrl-C again leaves that to the server.')
    upload.terminate().catch((error: Error) => phases.say(`It cannot be cancelled: ${printable(error.message)}`))
  })
  try {
    if (isAsync) await Promise.race([sent.promise, upload.done])
    if (isAsync && upload.packageUuid !== undefined) return await tellJob(cli, wharf, upload.packageUuid)
    const record: UploadedPackage = await upload.done
    phases.end()
    tellUploaded(cli, record)
  } catch (error) {
    phases.end()
    if (stop.signal.aborted) throw interrupted(upload, phases)
    const { code } = error as { code?: string }
    throw isGivenUp && code === endedCode ? new GivenUp('the upload was given up; nothing of it is kept') : error
  } finally {
    ignore()
    phases.end()
  }
}

/** Before the server makes a record of it. */
export function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new UsageError(`there is no file ${path}`)
  if (!stats.isFile()) throw new UsageError(`${path} is not a file`, 'what comes through a pipe is uploaded as -')
}

async function tellJob(cli: Cli, wharf: Wharf, packageUuid: string): Promise<void> {
  const { inventories = [] } = await wharf.jobs.query({
    q: [`subjectUuid=${packageUuid}`],
    sort: '-createDate',
    limit: 1,
  })
  await tellStarted(cli, inventories[0]?.uuid ?? '')
}

function interrupted(upload: Upload, { last }: Phases): Error {
  if (last?.phase === 'processing')
    return new Interrupted(`Stopped waiting. The upload goes on: wharf package show ${upload.packageUuid}`)
  return new Interrupted(
    `Stopped. ${bytes(last?.sentBytes ?? 0)} are kept for 72 hours: the same command goes on from there.`,
  )
}

/** First the bytes go, then the server works on them: each has its own bar. */
class Phases {
  readonly #cli: Cli
  readonly #label: string
  current: Progress
  last: UploadProgress | undefined

  constructor(cli: Cli, label: string) {
    this.#cli = cli
    this.#label = label
    this.current = cli.progress(label)
  }

  tell(news: UploadProgress): void {
    if (news.phase !== (this.last?.phase ?? 'sending')) {
      this.current.end()
      this.current = this.#cli.progress(`${this.#label}, on the server`)
    }
    this.last = news
    const { sentBytes, totalBytes, phase, percent } = news
    const sent = totalBytes === undefined ? undefined : totalBytes === 0 ? 1 : sentBytes / totalBytes
    this.current.tell(
      phase === 'processing'
        ? { fraction: (percent ?? 0) / 100 }
        : { fraction: sent, doneBytes: sentBytes, totalBytes },
    )
  }

  /** What goes on after an outage. */
  get resumption(): string {
    return this.last?.phase === 'processing'
      ? 'waiting for the job again'
      : `the upload resumes at ${bytes(this.last?.sentBytes ?? 0)}`
  }

  say(line: string): void {
    this.current.say(line)
  }

  end(): void {
    this.current.end()
  }
}
