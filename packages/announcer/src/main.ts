import { parseArgs } from 'node:util'
import { announce } from './announce.ts'
import { avahiServiceFile } from './avahi.ts'
import { readFacts } from './facts.ts'

const help = `wharf-host-announcer — lets the management nodes of Wharf on this network find this host

  wharf-host-announcer                 announce until SIGTERM or Ctrl-C, then say goodbye
  wharf-host-announcer --print-avahi   print a service file for /etc/avahi/services instead

  --interface NAME     announce on this interface only; may be given several times
  --sn TEXT            serial number; read from DMI otherwise, which only root may
  --manufacturer TEXT  read from DMI otherwise
  --product TEXT       the model; read from DMI otherwise
  --id TEXT            tells hosts without serial numbers apart; derived from the machine id otherwise
  --host-name TEXT     the host name of this machine otherwise
  --help
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

function readArguments() {
  const { values } = parseArgs({
    options: {
      help: flag,
      'print-avahi': flag,
      sn: text,
      manufacturer: text,
      product: text,
      id: text,
      'host-name': text,
      interface: { ...text, multiple: true },
    },
  })
  return values
}

function parsed(): ReturnType<typeof readArguments> {
  try {
    return readArguments()
  } catch (error) {
    process.stderr.write(`wharf-host-announcer: ${String((error as Error).message).split('. ')[0]}: see --help\n`)
    process.exit(2)
  }
}

const {
  help: wantsHelp,
  'print-avahi': printsAvahi,
  interface: interfaces = 'all',
  'host-name': hostName,
  ...rest
} = parsed()
const facts = readFacts({ overrides: { ...rest, hostName } })

if (wantsHelp) process.stdout.write(help)
else if (printsAvahi) process.stdout.write(avahiServiceFile(facts))
else {
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort())
  const trouble = (name: string, error: Error): void =>
    void process.stderr.write(`wharf-host-announcer: ${name} cannot be used: ${error.message}\n`)
  process.stderr.write(`wharf-host-announcer: announcing ${facts.hostName}\n`)
  await announce({ facts, interfaces, signal: ending.signal, trouble })
}
