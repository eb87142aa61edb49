import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { createAccessKey } from '../create-access-key.ts'
import { deleteCommand } from '../delete-command.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { showCommand } from '../show-command.ts'
import { stateCommands } from '../state-commands.ts'
import { createVerbs } from '../verbs.ts'

const create = command({
  ...createVerbs('create'),
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
    cli.out.record(cli.out.isTable ? created : { ...created, url: wharf.url })
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

const keyIds = ['2f6b9c0d1e2f6b9c0d1e', '7a1c3e5f7a1c3e5f7a1c'] as const

export const key: GroupSpec = {
  name: 'key',
  summary: 'Manage access keys',
  commands: [
    listCommand('accessKeys', {
      path: 'key',
      plural: 'access keys',
      columns: ['AccessKeyID', 'state', 'description', 'user', 'createDate', 'uuid'],
      wide: ['account', 'lastOpDate'],
    }),
    showCommand('accessKeys', { path: 'key', example: '2f6b9c0d1e2f6b9c0d1e' }),
    create,
    ...stateCommands('accessKeys', 'key', keyIds),
    deleteCommand('accessKeys', { path: 'key', summary: 'Delete an access key', examples: keyIds }),
  ],
}
