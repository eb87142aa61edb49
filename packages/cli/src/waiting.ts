import type { AnswerOf } from '@wharf/contract'
import type { CallableOperation, InputOf, Job, JobStatus } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import type { OptionSpecs } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { reportOutage } from './outage.ts'
import { printable } from './output/printable.ts'
import type { Progress } from './output/progress.ts'
import { Interrupted, UsageError } from './refusals.ts'

/** Every command that starts a job has these. */
export const waitingOptions = {
  '--async': { help: 'do not wait: print the job' },
  '--timeout <seconds>': { help: 'how long the job may take; then it is undone' },
  '--log': { help: 'show the log of the job while it grows' },
  '--cancel-on-interrupt': { help: 'Ctrl-C cancels the job, instead of leaving it to the server' },
} as const satisfies OptionSpecs

export interface Waiting {
  readonly async?: boolean
  readonly timeout?: string
  readonly log?: boolean
  readonly cancelOnInterrupt?: boolean
}

/** A long operation: waited for, with its progress on the screen. Undefined when it was only started. */
export async function perform<O extends CallableOperation>(
  cli: Cli,
  operation: O,
  input: InputOf<O>,
  waiting: Waiting & { readonly label: string },
): Promise<AnswerOf<O> | undefined> {
  const wharf = await cli.wharf()
  const jobTimeoutSeconds = secondsOf(waiting.timeout)
  const { job, answer } = await wharf.start(operation, input, { jobTimeoutSeconds })
  if (job === undefined) return answer
  if (waiting.async) return void (await tellStarted(cli, job.uuid))
  return waitForJob(cli, job, waiting)
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--timeout takes whole seconds, not ${text}`)
  return Number(text)
}

/** Its uuid alone on standard output, so that a script can keep it. */
export async function tellStarted(cli: Cli, uuid: string): Promise<void> {
  const { inventories = [] } = await (await cli.wharf()).jobs.query({ q: [`uuid=${uuid}`] })
  cli.out.text(uuid, inventories[0] ?? { uuid })
  cli.say(`It goes on without you: wharf job wait ${uuid}`)
}

/** Waits, telling how far it is. The first Ctrl-C stops the waiting or cancels the job; the second ends this at once. */
export async function waitForJob<A>(
  cli: Cli,
  job: Job<A>,
  { label, log, cancelOnInterrupt }: Waiting & { readonly label: string },
): Promise<A> {
  const stop = new AbortController()
  const progress = cli.progress(label)
  const ignore = onInterrupts(cli, progress, () => {
    if (!cancelOnInterrupt) return stop.abort()
    progress.say('Cancelling: the job undoes what it did. Ctrl-C again leaves that to the server.')
    job.cancel().catch((error: Error) => progress.say(`It cannot be cancelled: ${printable(error.message)}`))
  })
  try {
    return await job.wait({
      signal: stop.signal,
      onProgress: (status) => progress.tell(newsOf(status)),
      ...reportOutage(
        (line) => progress.say(line),
        () => 'waiting for the job again',
      ),
      onLog: log ? (line) => progress.say(printable(line)) : undefined,
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new Interrupted(
      `Stopped waiting. The job goes on: wharf job show ${job.uuid}, wharf job wait ${job.uuid}, wharf job cancel ${job.uuid}`,
    )
  } finally {
    ignore()
    progress.end()
  }
}

/** The first one is the command's to answer, the second ends the process. */
export function onInterrupts(cli: Cli, progress: Pick<Progress, 'end'>, first: () => void): () => void {
  let isSecond = false
  return cli.io.onInterrupt(() => {
    if (!isSecond) {
      isSecond = true
      return first()
    }
    progress.end()
    cli.io.exitNow(exitCodes.interrupted)
  })
}

const newsOf = ({ progress, currentStep, state }: JobStatus) => ({
  fraction: (progress ?? 0) / 100,
  step: state === 'Undoing' ? 'undoing' : (currentStep ?? undefined),
})
