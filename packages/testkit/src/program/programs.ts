import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where scripts/test.ts has put them in few files (bundle-programs.ts); without it, tests run the sources. */
const { TEST_PROGRAMS: bundled } = process.env

export const serverSources = fileURLToPath(import.meta.resolve('@wharf/server/program/main.js'))
export const serverProgram = bundled === undefined ? serverSources : join(bundled, 'server.js')

/** The command line of `wharf`. */
export const wharfCommand: readonly [string, ...string[]] =
  bundled === undefined
    ? [fileURLToPath(new URL('../../../../bin/wharf', import.meta.url))]
    : [process.execPath, join(bundled, 'wharf.js')]

/** A server with the operation of `trial-job.ts` in it. */
export const trialProgram =
  bundled === undefined
    ? fileURLToPath(new URL('../jobs/trial-job-server.ts', import.meta.url))
    : join(bundled, 'trial.js')

/** An `UploadServer`. */
export const uploadProgram =
  bundled === undefined
    ? fileURLToPath(new URL('../server/upload-program.ts', import.meta.url))
    : join(bundled, 'uploads.js')
