import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { passwordOption, readNewPassword } from '../new-password.ts'
import { printRecord } from '../print-record.ts'
import { scopeOption } from '../scope-option.ts'
import { showCommand } from '../show-command.ts'
import { createVerbs } from '../verbs.ts'
import { roles } from './user.ts'

const create = command({
  ...createVerbs('create'),
  summary: 'Create an account with its built-in user',
  arguments: { '<name>': { help: 'name of the account' } },
  options: {
    '--role <role>': { help: 'role of the built-in user (default: operator)', choices: roles },
    ...scopeOption,
    '--description <text>': { help: 'description' },
    ...passwordOption,
  },
  examples: ['account create ops', 'account create ops --role reader --password-stdin < password'],
  async run(cli, { name }, { role, scope, description, passwordStdin }) {
    const wharf = await cli.wharf()
    const password = await readNewPassword(cli, passwordStdin)
    const { inventory } = await wharf.accounts.create({
      name,
      password,
      role: role as (typeof roles)[number] | undefined,
      scope,
      description,
    })
    await printRecord(cli, inventory)
  },
})

const setPassword = command({
  name: 'set-password',
  summary: 'Set the password of an account as an admin; ends its sessions',
  more: 'To change your own password, use wharf password.',
  arguments: { '<name>': { help: 'name or uuid', names: 'accounts' } },
  options: passwordOption,
  examples: ['account set-password ops', 'account set-password ops --password-stdin < password'],
  async run(cli, { name }, { passwordStdin }) {
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'accounts', name)
    const password = await readNewPassword(cli, passwordStdin)
    const { inventory } = await wharf.accounts.update(uuid, { password })
    cli.report(`Set the password of account ${known}.`, inventory)
  },
})

export const account: GroupSpec = {
  name: 'account',
  summary: 'Manage accounts',
  commands: [
    listCommand('accounts', {
      path: 'account',
      plural: 'accounts',
      columns: ['name', 'description', 'createDate', 'uuid'],
      wide: ['lastOpDate'],
    }),
    showCommand('accounts', { path: 'account', example: 'ops' }),
    create,
    setPassword,
    deleteCommand('accounts', {
      path: 'account',
      summary: 'Delete an account with its users, sessions and access keys',
      examples: ['ops', 'guests'],
    }),
  ],
}
