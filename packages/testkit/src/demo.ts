import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { operation, optional, Text, Uuid } from '@wharf/contract'
import { type Binding, start } from '@wharf/server/http/bind.ts'
import { type JobContext, job, step } from '@wharf/server/jobs/definition.ts'
import { ApiError } from '@wharf/server/platform/api-error.ts'
import type { Foundation } from '@wharf/server/resources.ts'

/**
 * A long operation to try the job machinery on. Its effects are lines in a file, so that a test sees what happened
 * and how often, whatever became of the process.
 */
export interface DemoScript {
  /** The file that collects the effects. */
  trace: string
  /** `run second` or `undo first`: this one throws. */
  failAt?: string
  /** `before run second`, `after undo first`: kill -9 of the own process, once. */
  crashAt?: string
  /** Each step takes this long, and obeys the signal meanwhile. */
  stepMs?: number
  /** The second step starts a tree of processes, tells its pid in the trace, and waits for it. */
  spawnTree?: boolean
  /** Written to the job's log and concealed. */
  secret?: string
}

export const startDemo = operation({
  name: 'StartDemo',
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

type Context = JobContext<DemoScript, { names: string }>

async function effect(context: Context, what: string): Promise<void> {
  const { trace, failAt, crashAt, stepMs = 0, secret } = context.input
  crash(trace, crashAt, `before ${what}`)
  if (secret !== undefined) context.conceal(secret)
  context.log(`${what}${secret === undefined ? '' : ` with ${secret}`}`)
  if (stepMs > 0) await delay(stepMs, undefined, { signal: context.signal })
  context.progress(50)
  if (context.input.spawnTree && what === 'run second') await runTree(context)
  if (failAt === what) throw new ApiError('SYS.1016', `${what} was told to fail`)
  appendFileSync(trace, `${what}\n`)
  crash(trace, crashAt, `after ${what}`)
}

function crash(trace: string, crashAt: string | undefined, here: string): void {
  const once = `${trace}.crashed`
  if (crashAt !== here || existsSync(once)) return
  writeFileSync(once, '')
  process.kill(process.pid, 'SIGKILL')
}

/** sh with a child and a grandchild; the signal of the step ends all three. */
async function runTree({ input, signal }: Context): Promise<void> {
  const child = spawn('sh', ['-c', 'sleep 300 & sh -c "sleep 300; true" & wait'], { detached: true, stdio: 'ignore' })
  appendFileSync(input.trace, `tree ${child.pid}\n`)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  signal.addEventListener('abort', () => process.kill(-(child.pid ?? 0), 'SIGKILL'), { once: true })
  await ended
}

const demoStep = (name: string) =>
  step<DemoScript, { names: string }>(
    name,
    async (context) => {
      await effect(context, `run ${name}`)
      return { names: `${context.memory.names ?? ''}${name} ` }
    },
    { undo: (context) => effect(context, `undo ${name}`) },
  )

export const demoJob = job(startDemo, ['first', 'second', 'third'].map(demoStep), async ({ memory }) => ({
  steps: memory.names?.trim() ?? '',
}))

export function demoOperations({ jobs }: Foundation): Binding[] {
  jobs.runner.register(demoJob)
  return [
    start(startDemo, ({ fields, job: request, commit }) =>
      commit((tx) =>
        jobs.enqueue(tx, demoJob, {
          request,
          subjectUuid: fields.subjectUuid ?? null,
          input: JSON.parse(fields.script) as DemoScript,
        }),
      ),
    ),
  ]
}
