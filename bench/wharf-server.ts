import { createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { startApp } from '@wharf/server/app.ts'
import { readSettings } from '@wharf/server/config.ts'
import { makeLog } from '@wharf/server/platform/log.ts'

/** The server as it ships, request log and all; the log goes to /dev/null so that the disk is not measured. */
const settings = readSettings(process.env, { root: tmpdir() })
const app = await startApp({ settings, log: makeLog(settings.logLevel, createWriteStream('/dev/null')) })
process.send?.({ port: Number(new URL(app.url).port) })
