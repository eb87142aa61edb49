import type { OptionSpecs } from './command.ts'
import { formNames, forms } from './output/format.ts'

/** The options of every command. */
export const globalOptions: OptionSpecs = {
  '-o, --output <form>': {
    help: `output format: ${forms.join(', ')} or jsonpath=TEMPLATE`,
    suggestions: formNames,
  },
  '--json': { help: 'short for -o json' },
  '--profile <name>': { help: 'profile with the server and the credential (WHARF_PROFILE)', names: 'profiles' },
  '--url <address>': { help: 'server address (WHARF_URL)' },
  '--credentials <file>': {
    help: 'JSON file with an access key: bootstrap.json, or the output of key create --json',
  },
  '--ca-file <file>': { help: 'PEM file with additional trusted authorities; login stores it in the profile' },
  '--insecure': { help: 'accept any server certificate; never stored' },
  '-q, --quiet': { help: 'print only data and errors' },
}
