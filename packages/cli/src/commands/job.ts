import type { Cli } from '../cli.ts'
import { command, type GroupSpec, type OptionSpecs } from '../command.ts'
import { forEachName } from '../for-each-name.ts'
import { logOptions, printJobLog } from '../job-log.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { jobOptions, reportStarted, waitForJob } from '../run-operation.ts'
import { describeJob } from './job/describe.ts'
import { list } from './job/list.ts'

const help = 'uuid, or its first digits'
const named = { '<job>': { help, names: 'jobs' } } as const
const repeated = { '<job...>': { help: 'uuids, or their first digits', names: 'jobs' } } as const
const example = '3c6a7a0b'

const { '--async': asyncOption, '--timeout <seconds>': _, ...waitOptions } = jobOptions

const find = async (cli: Cli, uuid: string) => resolveRecord(await cli.wharf(), 'jobs', uuid)

const titleOf = async (record: object): Promise<string> => (await import('@wharf/contract')).jobTitle(record)

const show = command({
  name: 'show',
  summary: 'Show what a job does, its state and progress, and the reason of a failure',
  arguments: named,
  examples: [`job show ${example}`, `job show ${example} -o yaml`],
  async run(cli, { job }) {
    const record = await find(cli, job)
    cli.out.record(cli.out.isTable ? await describeJob(await cli.wharf(), record) : record, 'uuid')
  },
})

const wait = command({
  name: 'wait',
  summary: 'Wait for a job and exit with its result',
  arguments: named,
  options: waitOptions,
  examples: [`job wait ${example}`],
  async run(cli, { job }, jobFlags) {
    const record = await find(cli, job)
    const label = await titleOf(record)
    const view = { ...jobFlags, operation: String(record.operation), label }
    const answer = await waitForJob(cli, (await cli.wharf()).job(record.uuid), view)
    cli.report(`${label}: succeeded.`, answer)
  },
})

const retry = command({
  name: 'retry',
  summary: 'Repeat a failed or cancelled job as a new one, with the same input',
  arguments: repeated,
  options: { '--async': asyncOption, ...waitOptions } satisfies OptionSpecs,
  examples: [`job retry ${example}`, `job retry ${example} --async`],
  async run(cli, { job: jobs }, { async: isAsync, ...jobFlags }) {
    const wharf = await cli.wharf()
    await forEachName(cli, jobs, {
      find: (job) => find(cli, job),
      async act({ uuid }) {
        const { inventory } = await wharf.jobs.retry(uuid)
        if (isAsync) return void (await reportStarted(cli, inventory.uuid))
        const label = await titleOf(inventory)
        await waitForJob(cli, wharf.job(inventory.uuid), { ...jobFlags, operation: inventory.operation, label })
        return { message: `${label}: succeeded.`, data: await find(cli, inventory.uuid) }
      },
    })
  },
})

const log = command({
  name: 'log',
  summary: 'Show the log of a job',
  arguments: named,
  options: logOptions,
  examples: [`job log ${example}`, `job log -f --timestamps ${example}`],
  async run(cli, { job }, flags) {
    const { uuid, operation } = await find(cli, job)
    await printJobLog(cli, { uuid, operation: String(operation) }, flags)
  },
})

const cancel = command({
  name: 'cancel',
  summary: 'Cancel a job and undo its steps',
  arguments: repeated,
  examples: [`job cancel ${example}`],
  async run(cli, { job: jobs }) {
    const wharf = await cli.wharf()
    await forEachName(cli, jobs, {
      find: (job) => find(cli, job),
      async act({ uuid }) {
        await wharf.jobs.cancel(uuid)
        const message = `Cancelling. Wait for the result: wharf job wait ${uuid}`
        return { message, data: cli.out.isTable ? {} : await find(cli, uuid) }
      },
    })
  },
})

export const job: GroupSpec = {
  name: 'job',
  summary: 'Manage jobs: list, wait, follow, retry, cancel',
  commands: [list, show, wait, retry, log, cancel],
}
