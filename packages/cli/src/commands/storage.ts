import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../deleting.ts'
import { givenSecret } from '../given-text.ts'
import { listCommand, showCommand } from '../listing.ts'
import { reconnectCommand, stateCommands } from '../states.ts'
import { perform, waitingOptions } from '../waiting.ts'

const add = command({
  name: 'add',
  summary: 'Add a place that keeps packages, after trying it',
  arguments: {
    '<name>': { help: 'of the new storage' },
    '<address>': { help: 'file:///path, sftp://host:port/path, or https://endpoint/bucket' },
  },
  options: {
    '--type <type>': { help: 'from the address when absent', choices: ['folder', 'sftp', 's3'] },
    '--user <name>': { help: 'with sftp, who signs in there' },
    '--identity <file>': { help: 'with sftp, an SSH key without a passphrase; the key of the server when absent' },
    '--fingerprint <text>': { help: 'with sftp, SHA256:…, which its host key must have' },
    '--access-key-id <id>': { help: 'with s3' },
    '--secret-access-key <text>': { help: 'with s3; @file reads a file, @- standard input' },
    '--region <name>': { help: 'with s3; us-east-1 when absent' },
    '--description <text>': { help: 'for people' },
    ...waitingOptions,
  },
  examples: [
    'storage add archive file:///srv/packages',
    'storage add attic sftp://10.0.0.9:22/srv/packages --user wharf',
    'storage add cloud https://s3.example.com/packages --access-key-id AK1 --secret-access-key @secret',
  ],
  async run(cli, { name, address }, options) {
    const { addBackupStorage } = await import('@wharf/contract')
    const { type, user, identity, fingerprint, accessKeyId, secretAccessKey, region, description, ...waiting } = options
    const input = {
      name,
      type: (type ?? typeOf(address)) as 'folder' | 'sftp' | 's3',
      url: address,
      description,
      username: user,
      privateKey: identity === undefined ? undefined : await givenSecret(cli, `@${identity}`).then((key) => `${key}\n`),
      hostKeyFingerprint: fingerprint,
      accessKeyId,
      secretAccessKey: await givenSecret(cli, secretAccessKey),
      region,
    }
    const answer = await perform(cli, addBackupStorage, input, { ...waiting, label: `Adding ${name}` })
    if (answer !== undefined) cli.out.record(answer.inventory)
  },
})

const typeOf = (address: string): string =>
  address.startsWith('file:') ? 'folder' : address.startsWith('sftp:') ? 'sftp' : 's3'

export const storage: GroupSpec = {
  name: 'storage',
  summary: 'Backup storage that keeps packages',
  commands: [
    listCommand('backupStorage', {
      path: 'storage',
      plural: 'backup storages',
      columns: ['name', 'type', 'url', 'state', 'status', 'availableCapacity', 'uuid'],
    }),
    showCommand('backupStorage', 'storage', 'archive'),
    add,
    ...stateCommands('backupStorage', 'storage', 'archive'),
    reconnectCommand('backupStorage', 'storage', 'archive'),
    deleteCommand('backupStorage', 'storage', {
      summary: 'Forget a backup storage; refused while packages are on it',
      example: 'archive',
    }),
  ],
}
