import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { UsageError } from '../errors.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord } from '../names/resolve-record.ts'
import { readPrivateKey, readSecret } from '../option-values.ts'
import { printRecord } from '../print-record.ts'
import { jobOptions, runOperation } from '../run-operation.ts'
import { showCommand } from '../show-command.ts'
import { reconnectCommand, stateCommands } from '../state-commands.ts'
import { createVerbs } from '../verbs.ts'

const add = command({
  ...createVerbs('add'),
  summary: 'Add backup storage after verifying access',
  arguments: {
    '<name>': { help: 'name of the storage' },
    '<address>': { help: 'file:///path, sftp://host:port/path, or https://endpoint/bucket' },
  },
  options: {
    '--type <type>': { help: 'storage type (default: from the address)', choices: ['folder', 'sftp', 's3'] },
    '--user <name>': { help: 'sftp: SSH user' },
    '--identity <file>': { help: 'sftp: SSH private key without a passphrase (default: the key of the server)' },
    '--fingerprint <text>': { help: 'sftp: expected host key fingerprint, SHA256:…' },
    '--access-key-id <id>': { help: 's3: access key id' },
    '--secret-access-key <text>': { help: 's3: secret access key; @file reads a file, @- reads stdin' },
    '--region <name>': { help: 's3: region (default: us-east-1)' },
    '--description <text>': { help: 'description' },
    ...jobOptions,
  },
  examples: [
    'storage add archive file:///srv/packages',
    'storage add attic sftp://10.0.0.9:22/srv/packages --user wharf',
    'storage add cloud https://s3.example.com/packages --access-key-id AK1 --secret-access-key @secret',
  ],
  async run(cli, { name, address }, options) {
    const { addBackupStorage } = await import('@wharf/contract')
    const { type, user, identity, fingerprint, accessKeyId, secretAccessKey, region, description, ...jobFlags } =
      options
    const input = {
      name,
      type: (type ?? typeOf(address)) as 'folder' | 'sftp' | 's3',
      url: address,
      description,
      username: user,
      privateKey: await readPrivateKey(identity, cli),
      hostKeyFingerprint: fingerprint,
      accessKeyId,
      secretAccessKey: await readSecret(cli, secretAccessKey),
      region,
    }
    const answer = await runOperation(cli, addBackupStorage, input, { ...jobFlags, label: `Adding ${name}` })
    if (answer !== undefined) await printRecord(cli, answer.inventory)
  },
})

const update = command({
  name: 'update',
  aliases: ['edit'],
  summary: 'Change backup storage; another address or credential is tested before it is saved',
  arguments: { '<storage>': { help: 'name or uuid', names: 'backupStorage' } },
  options: {
    '--name <name>': { help: 'new name' },
    '--description <text>': { help: 'new description; an empty one removes it' },
    '--address <address>': { help: 'new address of the same type, where the packages already are' },
    '--user <name>': { help: 'sftp: SSH user' },
    '--identity <file>': { help: 'sftp: SSH private key without a passphrase' },
    '--server-key': { help: 'sftp: sign in with the key of the server instead of a private key' },
    '--fingerprint <text>': { help: 'sftp: expected host key fingerprint, SHA256:…' },
    '--access-key-id <id>': { help: 's3: access key id' },
    '--secret-access-key <text>': { help: 's3: secret access key; @file reads a file, @- reads stdin' },
    '--region <name>': { help: 's3: region' },
    ...jobOptions,
  },
  examples: [
    'storage update archive --name attic',
    'storage update cloud --access-key-id AK2 --secret-access-key @secret',
    'storage update attic --address sftp://10.0.0.10:22/srv/packages',
  ],
  async run(cli, { storage: nameOrUuid }, options) {
    const { updateBackupStorage } = await import('@wharf/contract')
    const { name, description, address, user, identity, serverKey, fingerprint, accessKeyId, ...others } = options
    const { secretAccessKey, region, ...jobFlags } = others
    if (serverKey && identity !== undefined) throw new UsageError('use either --identity or --server-key')
    const clear = [
      ...(description === '' ? (['description'] as const) : []),
      ...(serverKey ? (['privateKey'] as const) : []),
    ]
    const change = {
      name,
      description: description === '' ? undefined : description,
      url: address,
      username: user,
      privateKey: await readPrivateKey(identity, cli),
      hostKeyFingerprint: fingerprint,
      accessKeyId,
      secretAccessKey: await readSecret(cli, secretAccessKey),
      region,
      clear: clear.length > 0 ? clear : undefined,
    }
    if (Object.values(change).every((value) => value === undefined))
      throw new UsageError('nothing to change: use --name, --description, --address, or an option of the credentials')
    const { uuid, name: current } = await resolveRecord(await cli.wharf(), 'backupStorage', nameOrUuid)
    const input = { uuid, ...change }
    const answer = await runOperation(cli, updateBackupStorage, input, { ...jobFlags, label: `Updating ${current}` })
    if (answer !== undefined) await printRecord(cli, answer.inventory)
  },
})

const typeOf = (address: string): string =>
  address.startsWith('file:') ? 'folder' : address.startsWith('sftp:') ? 'sftp' : 's3'

export const storage: GroupSpec = {
  name: 'storage',
  summary: 'Manage backup storage',
  commands: [
    listCommand('backupStorage', {
      path: 'storage',
      plural: 'backup storages',
      columns: ['name', 'type', 'url', 'state', 'status', 'availableCapacity', 'uuid'],
      wide: ['totalCapacity', 'managementNode', 'description', 'createDate'],
    }),
    showCommand('backupStorage', { path: 'storage', example: 'archive' }),
    add,
    update,
    ...stateCommands('backupStorage', 'storage', ['archive', 'attic']),
    reconnectCommand('backupStorage', 'storage', ['archive', 'attic']),
    deleteCommand('backupStorage', {
      path: 'storage',
      verb: 'remove',
      summary: 'Remove backup storage from Wharf; fails while it has packages',
      examples: ['archive', 'attic'],
    }),
  ],
}
