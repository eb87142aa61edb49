import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { failureReason } from '../failure-reason.ts'
import { forEachName } from '../for-each-name.ts'
import { logOptions, printJobLog } from '../job-log.ts'
import { listCommand } from '../list-command.ts'
import { type FoundRecord, resolveRecord } from '../names/resolve-record.ts'
import { jobOptions, waitForJob } from '../run-operation.ts'
import { showCommand } from '../show-command.ts'

const named = { '<job>': { help: 'job uuid', names: 'jobs' } } as const
const example = '3c6a7a0b0f6f4f0e9a4c2f9d1b7e5a61'

const recordOf = async (cli: Cli, uuid: string) => resolveRecord(await cli.wharf(), 'jobs', uuid)

const { '--async': _async, '--timeout <seconds>': _timeout, ...waitOptions } = jobOptions

async function reasonOf(wharf: Wharf, { uuid, state }: FoundRecord): Promise<object> {
  return state === 'Failed' || state === 'Cancelled' ? { reason: (await failureReason(wharf, uuid)) ?? null } : {}
}

export const job: GroupSpec = {
  name: 'job',
  summary: 'Manage jobs: list, wait, follow, cancel',
  commands: [
    listCommand('jobs', {
      path: 'job',
      plural: 'jobs',
      sort: '-createDate',
      defaultLimit: 20,
      columns: ['uuid', 'operation', 'state', 'progress', 'currentStep', 'errorCode', 'createDate'],
      example: '--query state=Running --watch',
    }),
    showCommand('jobs', {
      path: 'job',
      example,
      summary: 'Show the state and progress of a job, and the reason of a failure',
      describe: reasonOf,
    }),
    command({
      name: 'wait',
      summary: 'Wait for a job and exit with its result',
      arguments: named,
      options: waitOptions,
      examples: [`job wait ${example}`],
      async run(cli, { job: uuid }, jobFlags) {
        const operation = String((await recordOf(cli, uuid)).operation)
        const answer = await waitForJob(cli, (await cli.wharf()).job(uuid), {
          ...jobFlags,
          operation,
          label: operation,
        })
        cli.report(`${operation} succeeded.`, answer)
      },
    }),
    command({
      name: 'log',
      summary: 'Show the log of a job',
      arguments: named,
      options: logOptions,
      examples: [`job log ${example}`, `job log -f --timestamps ${example}`],
      run: (cli, { job: uuid }, flags) => printJobLog(cli, uuid, flags),
    }),
    command({
      name: 'cancel',
      summary: 'Cancel a job and undo its steps',
      arguments: { '<job...>': { help: 'job uuids', names: 'jobs' } },
      examples: [`job cancel ${example}`],
      async run(cli, { job: uuids }) {
        const wharf = await cli.wharf()
        await forEachName(cli, uuids, {
          find: async (uuid) => uuid,
          async act(uuid) {
            await wharf.jobs.cancel(uuid)
            const message = `Cancelling. Wait for the result: wharf job wait ${uuid}`
            return { message, data: cli.out.isTable ? {} : await recordOf(cli, uuid) }
          },
        })
      },
    }),
  ],
}
