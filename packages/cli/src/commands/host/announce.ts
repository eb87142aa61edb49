import { command } from '../../command.ts'

export const announce = command({
  name: 'announce',
  summary: 'Announce this machine to the management nodes on its networks',
  more: 'Needs no server. Runs until Ctrl-C or SIGTERM.',
  options: {
    '--print-avahi': { help: 'print a service file for /etc/avahi/services and exit' },
    '--interface <name>': { help: 'announce on this interface only; repeatable', repeated: true },
    '--sn <text>': { help: 'serial number (default: from DMI, readable by root only)' },
    '--manufacturer <text>': { help: 'manufacturer (default: from DMI)' },
    '--product <text>': { help: 'model (default: from DMI)' },
    '--id <text>': { help: 'identifies hosts without a serial number (default: derived from the machine id)' },
    '--host-name <text>': { help: 'host name (default: of this machine)' },
  },
  examples: ['host announce', 'host announce --interface eth0', 'host announce --print-avahi'],
  async run(cli, _, { printAvahi, interface: interfaces, ...overrides }) {
    const { readFacts } = await import('@wharf/announcer/facts.ts')
    const facts = readFacts({ overrides })
    if (printAvahi) {
      const { avahiServiceFile } = await import('@wharf/announcer/avahi.ts')
      const file = avahiServiceFile(facts)
      return cli.out.text(file, { file })
    }
    const { announce: announceFacts } = await import('@wharf/announcer/announce.ts')
    const stop = new AbortController()
    const removeListener = cli.io.onInterrupt(() => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    cli.info(`Announcing ${facts.hostName}. Press Ctrl-C to stop.`)
    await announceFacts({
      facts,
      interfaces: interfaces ?? 'all',
      signal: stop.signal,
      trouble: (name, error) => cli.info(`Cannot use interface ${name}: ${error.message}`),
    })
    removeListener()
  },
})
