import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { operation, optional, Text, Uuid } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Binding } from '@wharf/server/calls/bind.ts'
import { bindJob, type JobOperation } from '@wharf/server/calls/job-operation.ts'
import type { Foundation } from '@wharf/server/composition/resources.ts'
import { type JobContext, type Step, step } from '@wharf/server/jobs/definition.ts'

/**
 * A long operation to try the job machinery on. Its effects are lines in a file, so that a test sees what happened
 * and how often, even when the process was killed.
 */
export interface TrialScript {
  /** The file that collects the effects. */
  trace: string
  /** `run second` or `undo first`: this one throws. */
  failAt?: string
  /** `before run second`, `after undo first`: kill -9 of the own process, once. */
  crashAt?: string
  /** The same points: stalls there, once, so that the test can kill the process. */
  stallAt?: string
  /** Each run takes this long, and obeys the signal meanwhile. */
  stepMs?: number
  /** Each undo takes this long. */
  undoMs?: number
  /** `run second`: this one blocks until TrialTrace.release. */
  holdAt?: string
  /** Each step ignores the abort signal while it runs. */
  ignoresSignal?: boolean
  /** Each step also writes to the database, and records a refusal in the trace. */
  write?: boolean
  /** Effects are recorded with the id of their process. */
  recordPid?: boolean
  /** The second step starts a tree of processes, and waits for it; the trace records when all of them have ended. */
  spawnTree?: boolean
  /** Written to the job's log and concealed. */
  secret?: string
}

export const startTrial = operation({
  name: 'StartDemo',
  client: 'demo.start',
  resource: 'demo',
  method: 'POST',
  path: '/v1/demo-jobs',
  structure: 'params',
  summary: 'Run three steps',
  since: 'wharf-1.0.0',
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 60,
  fields: { script: Text(4096), subjectUuid: optional(Uuid()) },
  answer: { steps: Text(255) },
  errors: ['SYS.1005'],
})

/** Once it exists, no step is blocked any more. */
export const releaseFile = (trace: string): string => `${trace}.go`
/** It exists once the job has stalled. */
export const stalledFile = (trace: string): string => `${trace}.stalled`

/** Longer than any test waits. */
const maxStallMs = 600_000

type Context = JobContext<TrialScript, { names: string }>

async function effect(context: Context, what: string): Promise<void> {
  const {
    trace,
    failAt,
    crashAt,
    stepMs = 0,
    undoMs = 0,
    holdAt,
    ignoresSignal,
    write,
    recordPid,
    secret,
  } = context.input
  const suffix = recordPid ? ` by ${process.pid}` : ''
  const ms = what.startsWith('undo') ? undoMs : stepMs
  if (secret !== undefined) context.conceal(secret)
  context.log(`${what}${secret === undefined ? '' : ` with ${secret}`}`)
  const options = ignoresSignal ? {} : { signal: context.signal }
  if (ms > 0) await delay(ms, undefined, options)
  while (holdAt === what && !existsSync(releaseFile(trace))) await delay(10, undefined, options)
  crash(trace, crashAt, `before ${what}`)
  await stall(context, `before ${what}`)
  context.progress(50)
  if (write) await writeSetting(context, what, suffix)
  if (context.input.spawnTree && what === 'run second') await runTree(context)
  if (failAt === what) throw new ApiError('SYS.1016', `${what} fails as scripted`)
  appendFileSync(trace, `${what}${suffix}\n`)
  crash(trace, crashAt, `after ${what}`)
  await stall(context, `after ${what}`)
}

function crash(trace: string, crashAt: string | undefined, point: string): void {
  const once = `${trace}.crashed`
  if (crashAt !== point || existsSync(once)) return
  writeFileSync(once, '')
  process.kill(process.pid, 'SIGKILL')
}

async function stall({ input: { trace, stallAt }, signal }: Context, point: string): Promise<void> {
  if (stallAt !== point || existsSync(stalledFile(trace))) return
  writeFileSync(stalledFile(trace), '')
  await delay(maxStallMs, undefined, { signal })
}

async function writeSetting(context: Context, what: string, suffix: string): Promise<void> {
  const row = { name: `demo ${context.jobUuid} ${what}${suffix}`, value: what }
  try {
    await context.write((tx) => tx.insertInto('settings').values(row).execute())
  } catch (error) {
    appendFileSync(context.input.trace, `refused ${what}${suffix}\n`)
    throw error
  }
}

/** sh with a child and a grandchild; the signal of the step ends all three. */
async function runTree({ input, signal }: Context): Promise<void> {
  const child = spawn('sh', ['-c', 'sleep 300 & sh -c "sleep 300; true" & wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  appendFileSync(input.trace, 'tree began\n')
  signal.addEventListener('abort', () => process.kill(-(child.pid ?? 0), 'SIGKILL'), { once: true })
  // not 'exit': the pipe closes when the last of them has ended
  await once(child, 'close')
  appendFileSync(input.trace, 'tree ended\n')
  signal.throwIfAborted()
}

const trialStep = (name: string) =>
  step<TrialScript, { names: string }>(
    name,
    async (context) => {
      await effect(context, `run ${name}`)
      return { names: `${context.stepResults.names ?? ''}${name} ` }
    },
    { undo: (context) => effect(context, `undo ${name}`) },
  )

/** POST /v1/demo-jobs with these steps; its answer is what they left under `names`. */
export const trialWith =
  <Input>(steps: readonly Step<Input, { names: string }>[]) =>
  ({ jobs }: Foundation): Binding[] => {
    const trialJob: JobOperation<typeof startTrial, Input, { names: string }> = {
      operation: startTrial,
      start: ({ fields, commit }, enqueue) =>
        commit((tx) => {
          const { subjectUuid: uuid } = fields
          const subject = uuid === undefined ? null : { uuid, name: uuid }
          return enqueue(tx, { subject, host: null, input: JSON.parse(fields.script) as Input })
        }),
      steps,
      succeeded: async ({ stepResults }) => ({ steps: stepResults.names?.trim() ?? '' }),
    }
    return [bindJob(jobs, trialJob)]
  }

export const trialOperations = trialWith(['first', 'second', 'third'].map(trialStep))
