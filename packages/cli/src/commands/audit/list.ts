import { command } from '../../command.ts'
import { listOptions, listRecords } from '../../list-command.ts'
import { parsePeriod } from '../../time-options.ts'
import { actorText, outcomeText, resourceText } from './describe.ts'
import { filterConditions, filterOptions } from './entry-filter.ts'

const defaultLimit = 20
const { '--query <condition>': _, '-w, --watch': __, ...tableOptions } = listOptions

export const list = command({
  name: 'list',
  aliases: ['ls'],
  summary: 'List audit entries, newest first',
  options: {
    ...filterOptions,
    '--from <time>': { help: 'only entries since this time' },
    '--to <time>': { help: 'only entries before this time' },
    ...tableOptions,
    '--limit <count>': { help: `maximum number of records (default: ${defaultLimit})` },
  },
  examples: [
    'audit list',
    'audit list --outcome Denied --from 2026-11-05',
    'audit list --record web-1 -o wide',
    'audit list --actor admin --operation DeleteHost -o json',
  ],
  async run(cli, _, { from, to, sort, limit, columns, ...filter }) {
    parsePeriod({ from, to })
    const query = await filterConditions(() => cli.wharf(), filter)
    if (from !== undefined) query.push(`endDate>=${from}`)
    if (to !== undefined) query.push(`endDate<${to}`)
    await listRecords(
      cli,
      'auditEntries',
      {
        sort: sort ?? '-endDate',
        defaultLimit,
        query,
        ...(limit === undefined ? {} : { limit }),
        ...(columns === undefined ? {} : { columns }),
      },
      {
        columns: ['seq', 'endDate', 'actor', 'operation', 'resource', 'result', 'sourceIp'],
        wide: ['status', 'errorCode', 'role', 'requestId', 'jobUuid', 'uuid'],
        nameField: 'uuid',
        compute: async () => (entry) => ({
          actor: actorText(entry),
          resource: resourceText(entry),
          result: outcomeText(entry),
        }),
        emptyMessage: 'No audit entries.',
      },
    )
  },
})
