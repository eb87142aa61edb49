import { parseArgs } from 'node:util'
import { isConnectionFailure } from '@wharf/database/failures.ts'
import { isCheckout, root, stateFolder } from '@wharf/platform/installation.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { version } from '@wharf/platform/version.ts'
import { settingsHelp } from '../composition/setting-table.ts'
import { readSettings, SettingError } from '../composition/settings.ts'

const help = `wharf-server ${version} — the management plane of a cloud platform

  wharf-server                  start
  wharf-server backup FILE      write everything but the master key to FILE, also while a server runs
  wharf-server restore FILE     read it back into an empty database
  wharf-server migrate          apply pending migrations, as every start does
  wharf-server migrate --check  list pending migrations without applying them; exit code 1 if there are any
  wharf-server check            check the files of the database, also while a server runs; exit code 1 when damaged
  wharf-server init             create an empty database where the data folder has a key and its database is lost
  wharf-server reset-password [ACCOUNT] [--remove-second-factors]
                                a new password for admin, or this account; the option removes lost factors too
  wharf-server rotate-master-key [FILE]
                                replace the master key, also while servers run; FILE: the new one, if it is a setting
  wharf-server --help | --version

Settings are environment variables:

${settingsHelp()}
`

async function run(): Promise<void> {
  // files of the server are readable by their owner only
  process.umask(0o077)
  const { values, positionals } = readArguments()
  if (values.help) return void process.stdout.write(help)
  if (values.version) return void process.stdout.write(`${version}\n`)
  const [command, file, ...more] = positionals
  const takesFile = (name: string): boolean => command === name && file !== undefined && more.length === 0
  // an installation is read-only: the next version replaces it
  const usual = isCheckout(root) ? {} : { WHARF_DATA: stateFolder(process.env) }
  const settings = readSettings({ ...usual, ...process.env }, { root })
  if (values.check && command !== 'migrate')
    throw new SettingError('--check belongs to migrate: see wharf-server --help')
  const removesFactors = values['remove-second-factors'] ?? false
  if (removesFactors && command !== 'reset-password')
    throw new SettingError('--remove-second-factors belongs to reset-password: see wharf-server --help')
  // the server is loaded on demand: an error should not take a second
  if (command === undefined) return (await import('./serve.ts')).serve(settings)
  const commands = await import('./commands.ts')
  if (command === 'migrate' && file === undefined) return commands.migrateCommand(settings, values.check ?? false)
  if (command === 'check' && file === undefined) return commands.checkCommand(settings)
  if (command === 'init' && file === undefined) return commands.initCommand(settings)
  if (takesFile('backup')) return commands.backupCommand(settings, file ?? '')
  if (command === 'reset-password' && more.length === 0)
    return commands.resetPasswordCommand(settings, file ?? 'admin', removesFactors)
  if (command === 'rotate-master-key' && more.length === 0) return commands.rotateMasterKeyCommand(settings, file)
  if (takesFile('restore')) return commands.restoreCommand(settings, file ?? '')
  throw new SettingError(`"${positionals.join(' ')}" is not a command: see wharf-server --help`)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        check: { type: 'boolean' },
        'remove-second-factors': { type: 'boolean' },
      },
    })
  } catch (cause) {
    // Node's message continues with an explanation of dashes
    throw new SettingError(`${String((cause as Error).message).split('. ')[0]}: see wharf-server --help`, { cause })
  }
}

/** Of the system or of SQLite: a full disk, a file that may not be read. */
const isFromOutside = (error: Error): boolean =>
  /^(E[A-Z0-9]+|ERR_SQLITE_ERROR)$/.test(String((error as NodeJS.ErrnoException).code))

/** An operator error is one line. An internal error has its stack trace, for a report. */
run().catch((error: Error) => {
  const isOperators = error instanceof OperatorError
  // the database was lost during the command
  const about =
    !isOperators && isConnectionFailure(error) ? 'the PostgreSQL of WHARF_DATABASE_URL cannot be used: ' : ''
  const isFaultOfOurs = !isOperators && !isFromOutside(error)
  process.stderr.write(`wharf-server: ${about}${isFaultOfOurs ? error.stack : error.message}\n`)
  process.exit(error instanceof SettingError ? 2 : 1)
})
