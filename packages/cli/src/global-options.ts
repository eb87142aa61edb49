import type { OptionSpecs } from './command.ts'
import { forms } from './output/output.ts'

/** The options of every command. */
export const globalOptions: OptionSpecs = {
  '-o, --output <form>': { help: 'output format', choices: forms },
  '--json': { help: 'short for -o json' },
  '--profile <name>': { help: 'profile with the server and the credential (WHARF_PROFILE)' },
  '--url <address>': { help: 'server address (WHARF_URL)' },
  '--credentials <file>': {
    help: 'JSON file with an access key: bootstrap.json, or the output of key create --json',
  },
  '--ca-file <file>': { help: 'PEM file with additional trusted authorities; login stores it in the profile' },
  '--insecure': { help: 'accept any server certificate; never stored' },
  '-q, --quiet': { help: 'print only data and errors' },
}
