import type { AnswerOf } from '@wharf/contract'
import type { CallableOperation, InputOf, Job, JobStatus } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import type { OptionSpecs } from './command.ts'
import { Interrupted } from './errors.ts'
import { handleInterrupts } from './interrupts.ts'
import { parseInteger } from './option-values.ts'
import { reportOutage } from './outage.ts'
import { printable } from './output/printable.ts'
import { shownLog } from './shown-log.ts'
import { stepTitles } from './step-titles.ts'

/** The options of every command that starts a job. */
export const jobOptions = {
  '--async': { help: 'do not wait; print the job uuid' },
  '--timeout <seconds>': { help: 'cancel and undo the job after this time' },
  '--log': { help: "print the job's log (default on a terminal: the output of hooks)" },
  '--no-log': { help: 'do not print the output of hooks' },
  '--timestamps': { help: 'start each line of the log with its time, in UTC' },
  '--cancel-on-interrupt': { help: 'cancel the job on Ctrl-C' },
} as const satisfies OptionSpecs

export interface JobFlags {
  readonly async?: boolean
  readonly timeout?: string
  readonly log?: boolean
  readonly timestamps?: boolean
  readonly cancelOnInterrupt?: boolean
}

interface JobView extends JobFlags {
  readonly label: string
  /** The operation of the job. */
  readonly operation: string
}

/** The operations that run programs of a package on a host. */
const hookOperations = [
  'InstallSoftwarePackage',
  'UninstallSoftwarePackage',
  'UpgradeSoftwarePackage',
  'RollBackSoftwarePackage',
  'VerifySoftwarePackage',
  'UpdateClusterConfig',
]

const maxTimeoutSeconds = 999_999_999

/** Runs an operation and waits for its job, with progress on stderr. Undefined with --async. */
export async function runOperation<O extends CallableOperation>(
  cli: Cli,
  operation: O,
  input: InputOf<O>,
  flags: JobFlags & { readonly label: string },
): Promise<AnswerOf<O> | undefined> {
  const wharf = await cli.wharf()
  const jobTimeoutSeconds = parseInteger('--timeout', flags.timeout, { min: 1, max: maxTimeoutSeconds })
  const { job, answer } = await wharf.start(operation, input, { jobTimeoutSeconds })
  if (job === undefined) return answer
  if (flags.async) return void (await reportStarted(cli, job.uuid))
  return waitForJob(cli, job, { ...flags, operation: operation.name })
}

/** Prints only the uuid to stdout, for scripts. */
export async function reportStarted(cli: Cli, uuid: string): Promise<void> {
  const { inventories = [] } = await (await cli.wharf()).jobs.query({ q: [`uuid=${uuid}`] })
  cli.out.text(uuid, inventories[0] ?? { uuid })
  cli.info(`Running in the background: wharf job wait ${uuid}`)
}

/** The first Ctrl-C stops waiting or cancels the job; the second one exits. */
export async function waitForJob<A>(
  cli: Cli,
  job: Job<A>,
  { label, operation, cancelOnInterrupt, ...logFlags }: JobView,
): Promise<A> {
  const { titleOf, titledLine } = await stepTitles(operation)
  const runsHooks = hookOperations.includes(operation)
  const stop = new AbortController()
  const progress = cli.progress(label)
  const removeListener = handleInterrupts(cli, progress, () => {
    if (!cancelOnInterrupt) return stop.abort()
    progress.print('Cancelling and undoing the job. Press Ctrl-C again to exit without waiting.')
    job.cancel().catch((error: Error) => progress.print(`Cannot cancel: ${printable(error.message)}`))
  })
  try {
    return await job.wait({
      signal: stop.signal,
      onProgress: (status) => progress.update(progressOf(status, titleOf)),
      ...reportOutage(
        (line) => progress.print(line),
        () => 'waiting for the job',
      ),
      ...shownLog(cli, (line) => progress.print(line), { ...logFlags, runsHooks, titledLine }),
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new Interrupted(
      `Stopped waiting. The job continues: wharf job show ${job.uuid}, wharf job wait ${job.uuid}, wharf job cancel ${job.uuid}`,
    )
  } finally {
    removeListener()
    progress.end()
  }
}

const progressOf = ({ progress, currentStep, state }: JobStatus, titleOf: (step: string) => string) => ({
  fraction: (progress ?? 0) / 100,
  step: state === 'Undoing' ? 'undoing' : currentStep ? titleOf(currentStep) : undefined,
})
