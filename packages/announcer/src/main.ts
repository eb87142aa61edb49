import { parseArgs } from 'node:util'
import { announce } from './announce.ts'
import { avahiServiceFile } from './avahi.ts'
import { readFacts } from './facts.ts'

const help = `Announce this host to the Wharf management nodes on its networks

Usage:
  wharf-host-announcer                 announce until SIGTERM or Ctrl-C
  wharf-host-announcer --print-avahi   print a service file for /etc/avahi/services

Options:
  --interface NAME     announce on this interface only; repeatable
  --sn TEXT            serial number (default: from DMI, readable by root only)
  --manufacturer TEXT  manufacturer (default: from DMI)
  --product TEXT       model (default: from DMI)
  --id TEXT            identifies hosts without a serial number (default: derived from the machine id)
  --host-name TEXT     host name (default: of this machine)
  --help               show this help
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

function argumentsOrExit(): ReturnType<typeof readArguments> {
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
} = argumentsOrExit()
const facts = readFacts({ overrides: { ...rest, hostName } })

if (wantsHelp) process.stdout.write(help)
else if (printsAvahi) process.stdout.write(avahiServiceFile(facts))
else {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const trouble = (name: string, error: Error): void =>
    void process.stderr.write(`wharf-host-announcer: cannot use interface ${name}: ${error.message}\n`)
  process.stderr.write(`wharf-host-announcer: announcing ${facts.hostName}\n`)
  await announce({ facts, interfaces, signal: stop.signal, trouble })
}
