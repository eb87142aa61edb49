import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { writeLog } from '../job-log.ts'
import { listOptions, listRecords } from '../listing.ts'
import { resolveRecord } from '../names/resolve.ts'
import { waitForJob, waitingOptions } from '../waiting.ts'

const named = { '<job>': { help: 'its uuid', names: 'jobs' } } as const
const example = '3c6a7a0b0f6f4f0e9a4c2f9d1b7e5a61'
const newest = 20

/** Jobs have no name, so a missing one is told by the server as any other. */
const recordOf = async (cli: Cli, uuid: string) => resolveRecord(await cli.wharf(), 'jobs', uuid)

const { '--log': logOption, '--cancel-on-interrupt': cancelOption } = waitingOptions

export const job: GroupSpec = {
  name: 'job',
  summary: 'Long operations: list, follow, cancel',
  commands: [
    command({
      name: 'list',
      summary: 'List jobs, the newest first',
      options: { ...listOptions, '--limit <count>': { help: `at most so many; ${newest} when absent` } },
      examples: ['job list', 'job list --query state=Running'],
      run: (cli, _, choice) =>
        listRecords(
          cli,
          'jobs',
          { sort: '-createDate', defaultLimit: newest, ...choice },
          ['uuid', 'operation', 'state', 'progress', 'currentStep', 'errorCode', 'createDate'],
          'There are no jobs.',
        ),
    }),
    command({
      name: 'show',
      summary: 'Show how far a job is',
      arguments: named,
      examples: [`job show ${example}`],
      async run(cli, { job: uuid }) {
        cli.out.record(await recordOf(cli, uuid))
      },
    }),
    command({
      name: 'wait',
      summary: 'Wait until a job has ended, and end as it did',
      arguments: named,
      options: { '--log': logOption, '--cancel-on-interrupt': cancelOption },
      examples: [`job wait ${example}`],
      async run(cli, { job: uuid }, waiting) {
        const { operation } = await recordOf(cli, uuid)
        const answer = await waitForJob(cli, (await cli.wharf()).job(uuid), { ...waiting, label: String(operation) })
        cli.say(`${operation} has ended well.`)
        if (cli.out.form !== 'table') cli.out.record(answer)
      },
    }),
    command({
      name: 'log',
      summary: 'Show what a job has said',
      arguments: named,
      options: { '-f, --follow': { help: 'go on until the job ends; JSON is one object per line then' } },
      examples: [`job log ${example}`, `job log -f ${example}`],
      run: (cli, { job: uuid }, { follow }) => writeLog(cli, uuid, follow ?? false),
    }),
    command({
      name: 'cancel',
      summary: 'Ask a job to stop and undo what it did',
      arguments: named,
      examples: [`job cancel ${example}`],
      async run(cli, { job: uuid }) {
        await (await cli.wharf()).jobs.cancel(uuid)
        cli.say(`It was asked to stop: wharf job wait ${uuid}`)
        if (cli.out.form !== 'table') cli.out.record(await recordOf(cli, uuid))
      },
    }),
  ],
}
