import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { createAccessKey } from '../create-access-key.ts'
import { deleteCommand } from '../delete-command.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { stateCommands } from '../state-commands.ts'

const create = command({
  name: 'create',
  summary: 'Create an access key and show its secret, once',
  options: {
    '--user <name>': { help: 'owner (default: yourself)', names: 'users' },
    '--description <text>': { help: 'description' },
  },
  more: 'With --json, the output is a file for --credentials.',
  examples: ['key create --description backup', 'key create --user robot --json > key.json'],
  async run(cli, _, { user, description }) {
    const wharf = await cli.wharf()
    const owner = user === undefined ? await ownIdentity(cli) : await userNamed(cli, user)
    const created = await createAccessKey(cli, wharf, { ...owner, description })
    // --credentials files contain the address
    cli.out.record(cli.out.form === 'table' ? created : { ...created, url: wharf.url })
    cli.info('Save the secret now; it is not shown again.')
  },
})

async function userNamed(cli: Cli, name: string) {
  const { uuid, accountUuid } = await resolveRecord(await cli.wharf(), 'users', name)
  return { userUuid: uuid, accountUuid: String(accountUuid) }
}

async function ownIdentity(cli: Cli): Promise<{ accountUuid: string; userUuid: string }> {
  const { accountUuid, userUuid } = (await (await cli.wharf()).identity.caller()).inventory
  return { accountUuid, userUuid }
}

export const key: GroupSpec = {
  name: 'key',
  summary: 'Manage access keys',
  commands: [
    listCommand('accessKeys', {
      path: 'key',
      plural: 'access keys',
      columns: ['AccessKeyID', 'state', 'description', 'userUuid', 'createDate', 'uuid'],
    }),
    create,
    ...stateCommands('accessKeys', 'key', '2f6b9c0d1e2f6b9c0d1e'),
    deleteCommand('accessKeys', 'key', { summary: 'Delete an access key', example: '2f6b9c0d1e2f6b9c0d1e' }),
  ],
}
