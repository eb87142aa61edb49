import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { printJobLog } from '../job-log.ts'
import { listOptions, listRecords } from '../list-command.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { jobOptions, waitForJob } from '../run-operation.ts'

const named = { '<job>': { help: 'job uuid', names: 'jobs' } } as const
const example = '3c6a7a0b0f6f4f0e9a4c2f9d1b7e5a61'
const defaultLimit = 20

const recordOf = async (cli: Cli, uuid: string) => resolveRecord(await cli.wharf(), 'jobs', uuid)

const { '--log': logOption, '--cancel-on-interrupt': cancelOption } = jobOptions

export const job: GroupSpec = {
  name: 'job',
  summary: 'Manage jobs: list, wait, follow, cancel',
  commands: [
    command({
      name: 'list',
      summary: 'List jobs, newest first',
      options: { ...listOptions, '--limit <count>': { help: `maximum number of records (default: ${defaultLimit})` } },
      examples: ['job list', 'job list --query state=Running'],
      run: (cli, _, flags) =>
        listRecords(
          cli,
          'jobs',
          { sort: '-createDate', defaultLimit, ...flags },
          ['uuid', 'operation', 'state', 'progress', 'currentStep', 'errorCode', 'createDate'],
          'No jobs.',
        ),
    }),
    command({
      name: 'show',
      summary: 'Show the state and progress of a job',
      arguments: named,
      examples: [`job show ${example}`],
      async run(cli, { job: uuid }) {
        cli.out.record(await recordOf(cli, uuid))
      },
    }),
    command({
      name: 'wait',
      summary: 'Wait for a job and exit with its result',
      arguments: named,
      options: { '--log': logOption, '--cancel-on-interrupt': cancelOption },
      examples: [`job wait ${example}`],
      async run(cli, { job: uuid }, jobFlags) {
        const { operation } = await recordOf(cli, uuid)
        const answer = await waitForJob(cli, (await cli.wharf()).job(uuid), { ...jobFlags, label: String(operation) })
        cli.report(`${operation} succeeded.`, answer)
      },
    }),
    command({
      name: 'log',
      summary: 'Show the log of a job',
      arguments: named,
      options: { '-f, --follow': { help: 'follow until the job ends; JSON is one object per line' } },
      examples: [`job log ${example}`, `job log -f ${example}`],
      run: (cli, { job: uuid }, { follow }) => printJobLog(cli, uuid, follow ?? false),
    }),
    command({
      name: 'cancel',
      summary: 'Cancel a job and undo its steps',
      arguments: named,
      examples: [`job cancel ${example}`],
      async run(cli, { job: uuid }) {
        await (await cli.wharf()).jobs.cancel(uuid)
        cli.info(`Cancelling. Wait for the result: wharf job wait ${uuid}`)
        if (cli.out.form !== 'table') cli.out.record(await recordOf(cli, uuid))
      },
    }),
  ],
}
