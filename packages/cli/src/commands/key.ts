import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../deleting.ts'
import { listCommand } from '../listing.ts'
import { resolveRecord } from '../names/resolve.ts'
import { makeKey } from '../new-key.ts'
import { stateCommands } from '../states.ts'

const create = command({
  name: 'create',
  summary: 'Create an access key; its secret is shown this once',
  options: {
    '--user <name>': { help: 'whose; your own when absent', names: 'users' },
    '--description <text>': { help: 'what it is for' },
  },
  more: 'With --json the output is a file for --credentials.',
  examples: ['key create --description backup', 'key create --user robot --json > key.json'],
  async run(cli, _, { user, description }) {
    const wharf = await cli.wharf()
    const owner = user === undefined ? await ownIdentity(cli) : await userNamed(cli, user)
    const made = await makeKey(cli, wharf, { ...owner, description })
    // with the address it is a whole --credentials file
    cli.out.record(cli.out.form === 'table' ? made : { ...made, url: wharf.url })
    cli.say('Keep the secret now: it is not shown again.')
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
  summary: 'Access keys',
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
