import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { command, type GroupSpec, type OptionSpecs } from '../command.ts'
import { createAccessKey } from '../create-access-key.ts'
import { deleteCommand } from '../delete-command.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { parseInteger, readText } from '../option-values.ts'
import { scopeOption } from '../scope-option.ts'
import { Profiles } from '../settings/profiles.ts'
import { showCommand } from '../show-command.ts'
import { stateCommands } from '../state-commands.ts'
import { parseTime } from '../time-options.ts'
import { createVerbs } from '../verbs.ts'

const publicKeyOption = {
  '--public-key <file>': { help: 'Ed25519 public key in PEM; the private key signs, and no secret exists' },
} as const satisfies OptionSpecs

const create = command({
  ...createVerbs('create'),
  summary: 'Create an access key and show its secret, once',
  options: {
    '--user <name>': { help: 'owner (default: yourself)', names: 'users' },
    ...scopeOption,
    '--description <text>': { help: 'description' },
    '--expires <when>': { help: 'a time such as 2027-01-31, or a period such as 90d or 12h (default: never)' },
    '--role <role>': {
      help: 'role of its calls, at most that of the owner (default: that of the owner)',
      choices: ['reader', 'operator', 'admin'],
    },
    '--operation <name>': {
      help: 'allow only this operation, such as QueryHost, or group, such as software-packages:*; repeatable',
      repeated: true,
    },
    '--from <network>': { help: 'allow only calls from this network or address; repeatable', repeated: true },
    '--scheme <scheme>': {
      help: 'rfc9421 refuses calls with the older signature (default: both)',
      choices: ['rfc9421'],
    },
    ...publicKeyOption,
  },
  more: 'With --json, the output is a file for --credentials. The limits of a key cannot be changed later. A key that is created with another key has at least its limits; sign in with a password for others.',
  examples: [
    'key create --description backup --expires 90d',
    'key create --role reader --operation QueryHost --operation jobs:* --from 10.0.0.0/8',
    'key create --scope labels.team=web',
    'key create --user robot --json > key.json',
  ],
  async run(cli, _, { user, scope, description, expires, role, operation, from, scheme, publicKey }) {
    const limits = {
      expiresDate: expiryOf(expires),
      role: role as NewKeyFields['role'],
      operations: operation,
      allowedCidrs: from,
      schemes: scheme === undefined ? undefined : (['rfc9421'] as const),
      publicKey: await readPublicKey(cli, publicKey),
    }
    const wharf = await cli.wharf()
    const owner = user === undefined ? await ownIdentity(cli) : await userNamed(cli, user)
    const created = await createAccessKey(cli, wharf, { ...owner, scope, description, ...limits })
    showSecret(cli, wharf, created)
  },
})

const rotate = command({
  name: 'rotate',
  summary: 'Replace the secret of an access key, and show the new one, once',
  arguments: { '<key>': { help: 'id or uuid', names: 'accessKeys' } },
  options: {
    '--overlap <hours>': { help: 'how long the old secret is accepted too, at most 720', default: '24' },
    ...publicKeyOption,
  },
  more: 'A profile that uses the key gets the new secret. A second rotation ends the overlap of the first.',
  examples: ['key rotate 2f6b9c0d1e2f6b9c0d1e', 'key rotate 2f6b9c0d1e2f6b9c0d1e --overlap 0 --json > key.json'],
  async run(cli, { key: id }, { overlap, publicKey }) {
    const overlapHours = parseInteger('--overlap', overlap, { max: 720 })
    const fields = { overlapHours, publicKey: await readPublicKey(cli, publicKey) }
    const wharf = await cli.wharf()
    const { uuid } = await resolveRecord(wharf, 'accessKeys', id)
    const { inventory } = await wharf.accessKeys.rotate(uuid, fields)
    storeRotated(cli, inventory)
    showSecret(cli, wharf, inventory)
  },
})

type NewKeyFields = Parameters<Wharf['accessKeys']['create']>[0]
type Key = Awaited<ReturnType<Wharf['accessKeys']['rotate']>>['inventory']

function showSecret(cli: Cli, wharf: Wharf, key: Key): void {
  // --credentials files contain the address
  cli.out.record(cli.out.isTable ? key : { ...key, url: wharf.url })
  cli.info(key.publicKey ? 'Sign with the private key.' : 'Save the secret now; it is not shown again.')
}

/** The profile of this command may have used the key that it rotated. */
function storeRotated(cli: Cli, { AccessKeyID, AccessKeySecret }: Key): void {
  const { profile = '', credential, url } = cli.connection
  const profiles = new Profiles(cli.io)
  const stored = profiles.credentialOf(profile)
  const isUsed = credential.accessKeyId === AccessKeyID && stored?.accessKeyId === AccessKeyID
  if (!isUsed || AccessKeySecret === null) return
  profiles.save(profile, profiles.get(profile) ?? { url }, { ...stored, accessKeySecret: AccessKeySecret })
  cli.info(`Stored the new secret in profile ${profile}.`)
}

const readPublicKey = async (cli: Cli, path: string | undefined): Promise<string | undefined> =>
  path === undefined ? undefined : readText(cli, `@${path}`)

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** A time, or a period from now. */
function expiryOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? []
  if (count === undefined) parseTime('--expires', text, ', or a period such as 90d')
  return count === undefined ? text : new Date(Date.now() + Number(count) * (unitMs[unit] ?? 0)).toISOString()
}

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
      columns: ['AccessKeyID', 'state', 'description', 'user', 'role', 'scope', 'expiresDate', 'lastUsedDate', 'uuid'],
      wide: ['operations', 'allowedCidrs', 'schemes', 'overlapEndDate', 'account', 'createDate', 'lastOpDate'],
    }),
    showCommand('accessKeys', { path: 'key', example: '2f6b9c0d1e2f6b9c0d1e' }),
    create,
    rotate,
    ...stateCommands('accessKeys', 'key', keyIds),
    deleteCommand('accessKeys', { path: 'key', summary: 'Delete an access key', examples: keyIds }),
  ],
}
