import { command } from '../../command.ts'
import { type ListView, listOptions, listRecords } from '../../list-command.ts'
import { shortIdLength } from '../../names/resolve-record.ts'
import { ageText, durationText } from './describe.ts'

const defaultLimit = 20

const compute: ListView['compute'] = async (wharf) => {
  const { jobTitle } = await import('@wharf/contract')
  return (job) => ({
    id: String(job.uuid).slice(0, shortIdLength),
    job: jobTitle(job),
    user: job.userName ?? job.userUuid,
    duration: durationText(wharf, job),
    age: ageText(wharf, job),
  })
}

export const list = command({
  name: 'list',
  aliases: ['ls'],
  summary: 'List jobs, newest first',
  options: {
    ...listOptions,
    '--limit <count>': { help: `maximum number of records (default: ${defaultLimit})` },
    '--mine': { help: 'only jobs that you started' },
    '--failed': { help: 'only jobs that failed' },
    '--active': { help: 'only jobs that have not ended' },
    '--search <text>': { help: 'only jobs with this text in what they do, where, or by whom' },
  },
  examples: ['job list', 'job list --active --watch', 'job list --mine --failed', 'job list --search web-1'],
  async run(cli, _, { mine, failed, active, search, query = [], ...flags }) {
    const { activeJobsQuery } = await import('@wharf/contract')
    const q = [...query]
    if (mine) q.push(`userUuid=${(await (await cli.wharf()).identity.caller()).inventory.userUuid}`)
    if (failed) q.push('state=Failed')
    if (active) q.push(activeJobsQuery)
    if (search !== undefined) q.push(`summary~=%${search.replace(/[\\%_]/g, '\\$&')}%`)
    await listRecords(
      cli,
      'jobs',
      { sort: '-createDate', defaultLimit, ...flags, query: q },
      {
        columns: ['id', 'job', 'state', 'user', 'duration', 'age'],
        wide: ['progress', 'currentStep', 'errorCode', 'createDate', 'endDate', 'uuid'],
        nameField: 'uuid',
        compute,
        emptyMessage: 'No jobs.',
      },
    )
  },
})
