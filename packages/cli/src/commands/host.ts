import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { UsageError } from '../errors.ts'
import { listCommand } from '../list-command.ts'
import { parseInteger, readPrivateKey } from '../option-values.ts'
import { printRecord } from '../print-record.ts'
import { jobOptions, runOperation } from '../run-operation.ts'
import { showCommand } from '../show-command.ts'
import { reconnectCommand, stateCommands } from '../state-commands.ts'
import { createVerbs } from '../verbs.ts'
import { addListedHosts } from './host/add-listed.ts'
import { announce } from './host/announce.ts'
import { label, parseLabelChange } from './host/label.ts'
import { rotateKey } from './host/rotate-key.ts'
import { trustedFingerprint } from './host/trusted-fingerprint.ts'
import { update } from './host/update.ts'

const add = command({
  ...createVerbs('add'),
  summary: 'Add a host, or the hosts of a file: connect, pin the key and detect the system',
  more: 'A file has a header row: name,address,user,port,fingerprint,packagesPath,description,labels (zone=a;role=web) or label.<name>. At most 16 hosts are added at a time; the exit code is 1 if one failed.',
  arguments: { '[name]': { help: 'name of the host' } },
  options: {
    '--address <address>': { help: 'host name or IP address' },
    '--file <hosts.csv>': { help: 'add the hosts of a CSV file; - reads stdin' },
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
    '--label <name=value>': { help: 'label of the host; repeatable', repeated: true },
    '--description <text>': { help: 'description' },
    ...jobOptions,
  },
  examples: [
    'host add web-1 --address 10.0.0.11',
    'host add web-1 --address 10.0.0.11 --label zone=a --label role=web',
    'host add --file hosts.csv --user ops --identity ~/.ssh/ops',
    'host add web-1 --address 10.0.0.11 --user ops --identity ~/.ssh/ops',
    'host add web-1 --address 10.0.0.11 --user ops --packages-path /srv/packages',
  ],
  async run(cli, { name }, options) {
    const { address, file, driver, user, port, identity, fingerprint, packagesPath, label, description, ...jobFlags } =
      options
    const { addHost } = await import('@wharf/contract')
    const sshPort = parseInteger('--port', port)
    if (file !== undefined) {
      const given = {
        name,
        '--address': address,
        '--fingerprint': fingerprint,
        '--label': label,
        '--description': description,
      }
      const [both] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
      if (both || driver !== 'ssh')
        throw new UsageError(`${both ?? '--driver local'} cannot be used with --file; the file has a column for it`)
      return addListedHosts(cli, file, {
        username: user,
        sshPort,
        privateKey: await readPrivateKey(identity, cli),
        packagesPath,
      })
    }
    if (name === undefined || address === undefined)
      throw new UsageError('host add needs a name and --address, or --file with a list of hosts')
    const { labels, removeLabels } = parseLabelChange(label ?? [])
    if (removeLabels.length > 0) throw new UsageError('--label sets a label of the new host: name=value')
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
      labels: label === undefined ? undefined : labels,
      description,
    }
    const answer = await runOperation(cli, addHost, input, { ...jobFlags, label: `Adding ${name}` })
    if (answer !== undefined) await printRecord(cli, answer.inventory)
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
      wide: [
        'labels',
        'architecture',
        'totalCapacity',
        'username',
        'sshPort',
        'packagesPath',
        'description',
        'createDate',
      ],
      example: '--query labels.zone=a',
    }),
    showCommand('hosts', { path: 'host', example: 'web-1' }),
    add,
    update,
    label,
    rotateKey,
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
