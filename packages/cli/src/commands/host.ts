import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { listCommand } from '../list-command.ts'
import { parseInteger, readPrivateKey } from '../option-values.ts'
import { jobOptions, runOperation } from '../run-operation.ts'
import { showCommand } from '../show-command.ts'
import { reconnectCommand, stateCommands } from '../state-commands.ts'
import { createVerbs } from '../verbs.ts'
import { announce } from './host/announce.ts'
import { trustedFingerprint } from './host/trusted-fingerprint.ts'

const add = command({
  ...createVerbs('add'),
  summary: 'Add a host: connect to it, pin its key and detect its system',
  arguments: { '<name>': { help: 'name of the host' } },
  options: {
    '--address <address>': { help: 'host name or IP address', required: true },
    '--driver <driver>': {
      help: "local is the server's own machine",
      choices: ['ssh', 'local'],
      default: 'ssh',
    },
    '--user <name>': { help: 'SSH user', default: 'root' },
    '--port <number>': { help: 'SSH port (default: 22)' },
    '--identity <file>': {
      help: 'SSH private key without a passphrase (default: the key of the server; its public key is ssh/id_ed25519.pub in the data folder)',
    },
    '--fingerprint <text>': { help: 'expected host key fingerprint, SHA256:…; see host keys' },
    '--packages-path <folder>': {
      help: 'absolute, writable folder for packages from backup storage (default: /var/lib/wharf-packages for root, ~/wharf-packages for other users)',
    },
    '--description <text>': { help: 'description' },
    ...jobOptions,
  },
  examples: [
    'host add web-1 --address 10.0.0.11',
    'host add web-1 --address 10.0.0.11 --user ops --identity ~/.ssh/ops',
    'host add web-1 --address 10.0.0.11 --user ops --packages-path /srv/packages',
  ],
  async run(cli, { name }, options) {
    const { address, driver, user, port, identity, fingerprint, packagesPath, description, ...jobFlags } = options
    const { addHost } = await import('@wharf/contract')
    const sshPort = parseInteger('--port', port)
    const isUnverified = driver === 'ssh' && fingerprint === undefined
    const input = {
      name,
      address,
      driver: driver as 'ssh' | 'local',
      username: user,
      sshPort,
      privateKey: await readPrivateKey(identity, cli),
      hostKeyFingerprint: isUnverified ? await trustedFingerprint(cli, { address, sshPort }) : fingerprint,
      packagesPath,
      description,
    }
    const answer = await runOperation(cli, addHost, input, { ...jobFlags, label: `Adding ${name}` })
    if (answer !== undefined) cli.out.record(answer.inventory)
  },
})

const keys = command({
  name: 'keys',
  summary: 'Show the SSH host keys of a machine to verify them before adding it',
  arguments: { '<address>': { help: 'host name or IP address' } },
  options: { '--port <number>': { help: 'SSH port (default: 22)' } },
  examples: ['host keys 10.0.0.11'],
  async run(cli, { address }, { port }) {
    const wharf = await cli.wharf()
    const { keys } = await wharf.hosts.getKeys({ address, sshPort: parseInteger('--port', port) })
    cli.out.list(keys, ['type', 'fingerprint'])
  },
})

const candidates = command({
  name: 'candidates',
  summary: 'List announced hosts that are not added yet',
  options: {
    '--local': { help: 'only hosts that the responding node discovered itself' },
    '--added': { help: 'include hosts that are already added' },
  },
  examples: ['host candidates'],
  async run(cli, _, { local, added }) {
    const { hosts } = await (await cli.wharf()).candidateHosts.list({ local, configure: added })
    cli.out.list(hosts, ['hostName', 'ipv4Address', 'ipv6Address', 'manufacturer', 'product', 'sn'])
    if (hosts.length === 0) cli.info('No announced hosts. Run wharf host announce on a host to announce it.')
  },
})

export const host: GroupSpec = {
  name: 'host',
  summary: 'Manage hosts',
  commands: [
    listCommand('hosts', {
      path: 'host',
      plural: 'hosts',
      columns: ['name', 'address', 'driver', 'state', 'status', 'system', 'availableCapacity', 'uuid'],
      wide: ['architecture', 'totalCapacity', 'username', 'sshPort', 'packagesPath', 'description', 'createDate'],
      example: '--query status=Connected',
    }),
    showCommand('hosts', { path: 'host', example: 'web-1' }),
    add,
    keys,
    candidates,
    announce,
    ...stateCommands('hosts', 'host', ['web-1', 'web-2']),
    reconnectCommand('hosts', 'host', ['web-1', 'web-2']),
    deleteCommand('hosts', {
      path: 'host',
      verb: 'remove',
      summary: 'Remove a host from Wharf; fails while it has packages',
      examples: ['web-1', 'web-2'],
    }),
  ],
}
