import { command, type GroupSpec } from '../command.ts'
import { UsageError } from '../errors.ts'
import { forEachName } from '../for-each-name.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord, resolveUuid } from '../names/resolve-record.ts'

const end = command({
  name: 'end',
  summary: 'End sessions, one by one or all of a user',
  more: 'Their programs and browsers are signed out immediately; access keys stay valid. Only an admin ends the sessions of others.',
  arguments: { '[session...]': { help: 'uuids of sessions, as wharf session list shows them', names: 'sessions' } },
  options: {
    '--all': { help: 'all sessions of the user' },
    '--user <name>': { help: 'user whose sessions to end, with --all (default: yourself)', names: 'users' },
    '--keep-current': { help: 'with --all, keep the session of this command' },
  },
  examples: [
    'session end 3c6a7a0b0f6f4f0e9a4c2f9d1b7e5a61',
    'session end --all --keep-current',
    'session end --all --user alice',
  ],
  async run(cli, { session: uuids = [] }, { all, user, keepCurrent }) {
    if (Boolean(all) === uuids.length > 0) throw new UsageError('name sessions, or use --all')
    if (!all && (user !== undefined || keepCurrent)) throw new UsageError('--user and --keep-current need --all')
    const wharf = await cli.wharf()
    if (!all) {
      await forEachName(cli, uuids, {
        find: (uuid) => resolveRecord(wharf, 'sessions', uuid),
        async act({ uuid }) {
          await wharf.sessions.end(uuid)
          return { message: `Ended session ${uuid}.`, data: { uuid, ended: true } }
        },
      })
      return
    }
    const userUuid =
      user === undefined ? (await wharf.identity.caller()).inventory.userUuid : await resolveUuid(wharf, 'users', user)
    const { endedCount } = await wharf.users.endSessions(userUuid, { keepCurrent })
    cli.report(`Ended ${endedCount} ${endedCount === 1 ? 'session' : 'sessions'}.`, { userUuid, endedCount })
  },
})

export const session: GroupSpec = {
  name: 'session',
  summary: 'Manage sessions: list them and end them',
  commands: [
    listCommand('sessions', {
      path: 'session',
      plural: 'sessions',
      sort: '-createDate',
      columns: ['uuid', 'user', 'kind', 'address', 'client', 'createDate', 'lastUsedDate', 'expiredDate'],
      wide: ['account'],
    }),
    end,
  ],
}
