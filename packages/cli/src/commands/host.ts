import { command, type GroupSpec } from '../command.ts'
import { deleteCommand } from '../deleting.ts'
import { givenNumber, givenSecret } from '../given-text.ts'
import { listCommand, showCommand } from '../listing.ts'
import { reconnectCommand, stateCommands } from '../states.ts'
import { perform, waitingOptions } from '../waiting.ts'
import { announce } from './host/announce.ts'
import { trustedFingerprint } from './host/trusted-fingerprint.ts'

const add = command({
  name: 'add',
  summary: 'Add a host: reach it, pin its key and learn what it is',
  arguments: { '<name>': { help: 'of the new host' } },
  options: {
    '--address <address>': { help: 'a host name or an address', required: true },
    '--driver <driver>': {
      help: 'local is the machine of the server itself',
      choices: ['ssh', 'local'],
      default: 'ssh',
    },
    '--user <name>': { help: 'who signs in there', default: 'root' },
    '--port <number>': { help: 'of SSH; 22 when absent' },
    '--identity <file>': {
      help: 'an SSH key without a passphrase; when absent, the key of the server, whose public part is ssh/id_ed25519.pub in its data folder',
    },
    '--fingerprint <text>': { help: 'SHA256:…, which the key of the host must have; see host keys' },
    '--packages-path <folder>': {
      help: 'an absolute folder there that the user can write, for packages from backup storage; when absent, /var/lib/wharf-packages for root, wharf-packages in the home folder of any other user',
    },
    '--description <text>': { help: 'for people' },
    ...waitingOptions,
  },
  examples: [
    'host add web-1 --address 10.0.0.11',
    'host add web-1 --address 10.0.0.11 --user ops --identity ~/.ssh/ops',
    'host add web-1 --address 10.0.0.11 --user ops --packages-path /srv/packages',
  ],
  async run(cli, { name }, options) {
    const { address, driver, user, port, identity, fingerprint, packagesPath, description, ...waiting } = options
    const { addHost } = await import('@wharf/contract')
    const sshPort = givenNumber('--port', port)
    const isUnseen = driver === 'ssh' && fingerprint === undefined
    const input = {
      name,
      address,
      driver: driver as 'ssh' | 'local',
      username: user,
      sshPort,
      privateKey: identity === undefined ? undefined : await givenSecret(cli, `@${identity}`).then((key) => `${key}\n`),
      hostKeyFingerprint: isUnseen ? await trustedFingerprint(cli, { address, sshPort }) : fingerprint,
      packagesPath,
      description,
    }
    const answer = await perform(cli, addHost, input, { ...waiting, label: `Adding ${name}` })
    if (answer !== undefined) cli.out.record(answer.inventory)
  },
})

const keys = command({
  name: 'keys',
  summary: 'Show the keys of a machine, to compare them before it is added',
  arguments: { '<address>': { help: 'a host name or an address' } },
  options: { '--port <number>': { help: 'of SSH; 22 when absent' } },
  examples: ['host keys 10.0.0.11'],
  async run(cli, { address }, { port }) {
    const wharf = await cli.wharf()
    const { keys } = await wharf.hosts.lookAtKeys({ address, sshPort: givenNumber('--port', port) })
    cli.out.list(keys, ['type', 'fingerprint'])
  },
})

const candidates = command({
  name: 'candidates',
  summary: 'List hosts that announce themselves and are not added yet',
  options: {
    '--local': { help: 'only those that the answering node sees itself' },
    '--added': { help: 'also those that are already added' },
  },
  examples: ['host candidates'],
  async run(cli, _, { local, added }) {
    const { hosts } = await (await cli.wharf()).candidateHosts.list({ local, configure: added })
    cli.out.list(hosts, ['hostName', 'ipv4Address', 'ipv6Address', 'manufacturer', 'product', 'sn'])
    if (hosts.length === 0) cli.say('No host announces itself: wharf host announce does so on a host.')
  },
})

export const host: GroupSpec = {
  name: 'host',
  summary: 'Hosts that packages go to',
  commands: [
    listCommand('hosts', {
      path: 'host',
      plural: 'hosts',
      columns: ['name', 'address', 'driver', 'state', 'status', 'system', 'availableCapacity', 'uuid'],
      example: '--query status=Connected',
    }),
    showCommand('hosts', 'host', 'web-1'),
    add,
    keys,
    candidates,
    announce,
    ...stateCommands('hosts', 'host', 'web-1'),
    reconnectCommand('hosts', 'host', 'web-1'),
    deleteCommand('hosts', 'host', { summary: 'Forget a host; refused while packages are on it', example: 'web-1' }),
  ],
}
