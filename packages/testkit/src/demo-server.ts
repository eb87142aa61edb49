import { tmpdir } from 'node:os'
import { startApp } from '@wharf/server/app.ts'
import { readSettings } from '@wharf/server/config.ts'
import { makeLog } from '@wharf/server/platform/log.ts'
import { demoOperations } from './demo.ts'

/** The server with the demo operation in it, as a program that tests can kill. */
const settings = readSettings(process.env, { root: tmpdir() })
const app = await startApp({ settings, log: makeLog(settings.logLevel), extend: demoOperations })
process.stdout.write(`is ready at ${app.url}\n`)
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)))
