import { tmpdir } from 'node:os'
import { startApp } from '@wharf/server/app.ts'
import { readSettings } from '@wharf/server/config.ts'
import { makeLog } from '@wharf/server/platform/log.ts'

/** The server as it ships, request log and all; standard error leads to /dev/null so that no disk is measured. */
const settings = readSettings(process.env, { root: tmpdir() })
const app = await startApp({ settings, log: makeLog(settings.logLevel) })
process.send?.({ port: Number(new URL(app.url).port) })
