import { command } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { printRecord } from '../../print-record.ts'
import { changesText } from './describe.ts'

export const show = command({
  name: 'show',
  summary: 'Show an audit entry with the values before and after',
  arguments: { '<entry>': { help: 'its number in the trail, or its uuid' } },
  examples: ['audit show 1204', 'audit show 1204 -o yaml'],
  async run(cli, { entry }) {
    const wharf = await cli.wharf()
    const field = /^\d{1,15}$/.test(entry) ? 'seq' : 'uuid'
    const { inventories: [found] = [] } = await wharf.auditEntries.query({ q: [`${field}=${entry}`], limit: 1 })
    if (found === undefined) throw new CommandError(`no audit entry ${entry}`, 'list the entries: wharf audit list')
    const hasChanges = Object.keys(found.changes ?? {}).length > 0
    const describe = () => ({ changes: hasChanges ? changesText(found) : null })
    await printRecord(cli, found, { nameField: 'uuid', describe })
  },
})
