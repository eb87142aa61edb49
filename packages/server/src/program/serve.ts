import { fileURLToPath } from 'node:url'
import { root } from '@wharf/platform/installation.ts'
import { type Log, makeLog } from '@wharf/platform/log.ts'
import { version } from '@wharf/platform/version.ts'
import { type App, type AppOptions, startApp } from '../composition/app.ts'
import type { Settings } from '../composition/settings.ts'
import { banner, isOpenToOthers } from './banner.ts'

/** A stop takes at most ten seconds. Unfinished work survives, as it survives kill -9. */
const maxStopMs = 9500
/** Ctrl-C arrives twice: from the terminal and from npm. */
const echoMs = 500

const consoleFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** Starts, prints the address, and runs until a signal ends it. */
export async function serve(settings: Settings, more: Omit<AppOptions, 'settings' | 'log'> = {}): Promise<void> {
  const log = makeLog(settings.logLevel)
  const fail = (error: unknown): void => {
    log.fatal({ err: error }, 'an internal error ends this process')
    process.exit(1)
  }
  // immediately, without closing the database: SQLite would remove the log of a file that was put in its place
  const onLost = (error: Error): void => {
    log.fatal({ err: error }, error.message)
    process.exit(1)
  }
  const app = await startApp({ consoleFolder, onLost, ...more, settings, log })
  process.on('uncaughtException', fail)
  const stop = stopper(app, log)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  process.stdout.write(banner(settings, app, root))
  log.info({ version, url: app.url, engine: app.foundation.database.engine, data: settings.data }, 'ready')
  if (isOpenToOthers(settings)) log.warn({ host: settings.host }, 'listening on the network without TLS')
}

function stopper(app: App, log: Log): (signal: string) => void {
  let since: number | undefined
  const end = (): never => {
    log.info('stopped')
    process.exit(0)
  }
  return (signal) => {
    if (since !== undefined) {
      // a second signal ends immediately
      if (performance.now() - since > echoMs) process.exit(1)
      return
    }
    since = performance.now()
    log.info({ signal }, 'draining')
    setTimeout(() => {
      log.warn('not everything stopped in time; it resumes at the next start')
      end()
    }, maxStopMs)
    app.close().then(end, (error: unknown) => {
      log.error({ err: error }, 'the server could not stop cleanly')
      process.exit(1)
    })
  }
}
