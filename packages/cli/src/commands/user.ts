import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { UsageError } from '../errors.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord, resolveUuid } from '../names/resolve-record.ts'
import { passwordOption, readNewPassword } from '../new-password.ts'
import { printRecord } from '../print-record.ts'
import { scopeOption } from '../scope-option.ts'
import { showCommand } from '../show-command.ts'
import { createVerbs } from '../verbs.ts'

export const roles = ['admin', 'operator', 'reader'] as const
type Role = (typeof roles)[number]

const create = command({
  ...createVerbs('create'),
  summary: 'Create a user in an account',
  arguments: { '<name>': { help: 'name of the user' } },
  options: {
    '--account <name>': { help: 'account of the user (default: your own)', names: 'accounts' },
    '--role <role>': { help: 'role (default: reader)', choices: roles },
    ...scopeOption,
    '--description <text>': { help: 'description' },
    ...passwordOption,
  },
  examples: [
    'user create alice --role operator --scope labels.team=web',
    'user create robot --account ops --password-stdin < password',
  ],
  async run(cli, { name }, { account, role, scope, description, passwordStdin }) {
    const wharf = await cli.wharf()
    const accountUuid = account === undefined ? undefined : await resolveUuid(wharf, 'accounts', account)
    const password = await readNewPassword(cli, passwordStdin)
    const { inventory } = await wharf.users.create({
      name,
      password,
      accountUuid,
      role: role as Role | undefined,
      scope,
      description,
    })
    await printRecord(cli, inventory)
  },
})

const update = command({
  name: 'update',
  aliases: ['edit'],
  summary: 'Change the role or the scope of a user',
  arguments: { '<name>': { help: 'name or uuid', names: 'users' } },
  options: {
    '--role <role>': { help: 'role', choices: roles },
    ...scopeOption,
    '--all-hosts': { help: 'remove the scope' },
  },
  examples: ['user update alice --scope labels.team=web --scope labels.env=test', 'user update alice --all-hosts'],
  async run(cli, { name }, { role, scope: given, allHosts }) {
    if (allHosts && given !== undefined) throw new UsageError('use either --scope or --all-hosts')
    const scope = allHosts ? [] : given
    if (role === undefined && scope === undefined)
      throw new UsageError('nothing to change: use --role, --scope or --all-hosts')
    const wharf = await cli.wharf()
    const uuid = await resolveUuid(wharf, 'users', name)
    await printRecord(cli, (await wharf.users.update(uuid, { role: role as Role | undefined, scope })).inventory)
  },
})

const setRole = command({
  name: 'set-role',
  summary: 'Change the role of a user',
  arguments: {
    '<name>': { help: 'name or uuid', names: 'users' },
    '<role>': { help: 'role', choices: roles },
  },
  examples: ['user set-role alice operator'],
  async run(cli, { name, role }) {
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'users', name)
    const { inventory } = await wharf.users.update(uuid, { role: role as Role })
    cli.report(`${known} has the role ${inventory.role}.`, inventory)
  },
})

const setPassword = command({
  name: 'set-password',
  summary: 'Set the password of a user as an admin; ends the sessions of the user',
  more: 'To change your own password, use wharf password.',
  arguments: { '<name>': { help: 'name or uuid', names: 'users' } },
  options: passwordOption,
  examples: ['user set-password alice', 'user set-password alice --password-stdin < password'],
  async run(cli, { name }, { passwordStdin }) {
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'users', name)
    const password = await readNewPassword(cli, passwordStdin)
    const { inventory } = await wharf.users.update(uuid, { password })
    cli.report(`Set the password of user ${known}.`, inventory)
  },
})

const removeSecondFactors = command({
  name: 'remove-second-factors',
  summary: 'Remove the second factors of another user, who has lost them',
  arguments: { '<name>': { help: 'name or uuid', names: 'users' } },
  examples: ['user remove-second-factors alice'],
  async run(cli, { name }) {
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'users', name)
    const { inventory } = await wharf.users.removeSecondFactors(uuid)
    cli.report(`Removed the second factors of user ${known}.`, inventory)
  },
})

export const user: GroupSpec = {
  name: 'user',
  summary: 'Manage users, their roles and scopes',
  commands: [
    listCommand('users', {
      path: 'user',
      plural: 'users',
      columns: ['name', 'account', 'role', 'scope', 'description', 'createDate', 'uuid'],
      wide: ['hasSecondFactor', 'lastOpDate'],
      example: '--query role=admin --query hasSecondFactor=false',
    }),
    showCommand('users', { path: 'user', example: 'alice' }),
    create,
    update,
    setRole,
    setPassword,
    removeSecondFactors,
    deleteCommand('users', {
      path: 'user',
      summary: 'Delete a user with its sessions and access keys',
      examples: ['alice', 'bob'],
    }),
  ],
}
