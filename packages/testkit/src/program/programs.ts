import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where a run of all tests has put them in few files (scripts/testing/bundle-programs.ts). A single file runs the sources. */
const { TEST_PROGRAMS: bundled } = process.env

export const serverSources = fileURLToPath(import.meta.resolve('@wharf/server/main.js'))
export const serverProgram = bundled === undefined ? serverSources : join(bundled, 'server.js')

/** A server with the operation of `trial-job.ts` in it. */
export const trialProgram =
  bundled === undefined
    ? fileURLToPath(new URL('../jobs/trial-job-server.ts', import.meta.url))
    : join(bundled, 'trial.js')
