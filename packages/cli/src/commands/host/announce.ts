import { command } from '../../command.ts'

export const announce = command({
  name: 'announce',
  summary: 'Let the management nodes on this network find this machine',
  more: 'It needs no server. It goes on until Ctrl-C or SIGTERM, then says goodbye.',
  options: {
    '--print-avahi': { help: 'print a service file for /etc/avahi/services instead' },
    '--interface <name>': { help: 'announce on this interface only; may be given several times', repeated: true },
    '--sn <text>': { help: 'serial number; read from DMI otherwise, which only root may' },
    '--manufacturer <text>': { help: 'read from DMI otherwise' },
    '--product <text>': { help: 'the model; read from DMI otherwise' },
    '--id <text>': { help: 'tells hosts without serial numbers apart; derived from the machine id otherwise' },
    '--host-name <text>': { help: 'the host name of this machine otherwise' },
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
    const ending = new AbortController()
    const ignore = cli.io.onInterrupt(() => ending.abort())
    process.once('SIGTERM', () => ending.abort())
    cli.say(`Announcing ${facts.hostName}; Ctrl-C ends it.`)
    await announceFacts({
      facts,
      interfaces: interfaces ?? 'all',
      signal: ending.signal,
      trouble: (name, error) => cli.say(`${name} cannot be used: ${error.message}`),
    })
    ignore()
  },
})
