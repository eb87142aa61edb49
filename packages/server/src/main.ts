import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startApp } from './app.ts'
import { bootstrapPath } from './bootstrap.ts'
import { backupCommand, migrateCommand, restoreCommand } from './commands.ts'
import { readSettings, SettingError, type Settings, settingsHelp } from './config.ts'
import { makeLog } from './platform/log.ts'
import { version } from './platform/version.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const help = `wharf-server ${version} — the management plane of a cloud platform

  wharf-server                  start
  wharf-server backup FILE      write everything but the master key to FILE, also while a server runs
  wharf-server restore FILE     read it back into an empty database
  wharf-server migrate [--check]  bring the database up to date, or tell what is missing (exit code 1)
  wharf-server --help | --version

Settings are environment variables:

${settingsHelp()}
`

async function main(): Promise<void> {
  // what the server writes is its owner's business only
  process.umask(0o077)
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      check: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(help)
  if (values.version) return void process.stdout.write(`${version}\n`)
  const [command, file, ...more] = positionals
  const settings = readSettings(process.env, { root })
  if (command === undefined) return serve(settings)
  if (command === 'migrate' && file === undefined) return migrateCommand(settings, values.check ?? false)
  if (command === 'backup' && file !== undefined && more.length === 0) return backupCommand(settings, file)
  if (command === 'restore' && file !== undefined && more.length === 0) return restoreCommand(settings, file)
  throw new SettingError(`"${positionals.join(' ')}" is not a command: see wharf-server --help`)
}

async function serve(settings: Settings): Promise<void> {
  const log = makeLog(settings.logLevel)
  const app = await startApp({ settings, log })
  process.stdout.write(banner(settings, app.url))
  let stopping = false
  const stop = (signal: string): void => {
    // a second signal does not wait
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'draining')
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the server could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function banner(settings: Settings, url: string): string {
  const open = !settings.tls && !/^(127\.|::1$|localhost$)/.test(settings.host)
  const warning = open
    ? '\n  Warning: listening beyond this machine without TLS. Set WHARF_TLS_CERT and WHARF_TLS_KEY.\n'
    : ''
  return `
  Wharf ${version} is ready at ${url}
  Credentials: ${bootstrapPath(settings.data)}
${warning}
  Try next:
    curl ${url}/healthz
    open ${url}/docs for the API reference
    see README.md, "First five minutes"

`
}

main().catch((error: unknown) => {
  const isExpected = error instanceof SettingError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  const text = error instanceof Error ? error.message : String(error)
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  process.stderr.write(`wharf-server: ${text.split('\n')[0]}${isExpected ? '' : cause}\n`)
  process.exit(isExpected ? 2 : 1)
})
