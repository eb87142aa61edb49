import { tmpdir } from 'node:os'
import { readSettings } from '@wharf/server/config.ts'
import { serve } from '@wharf/server/serve.ts'
import { passwordCost } from './server.ts'
import { demoOperations } from './trial-job.ts'

/** The server with the trial job in it, as a program that tests can kill. */
const settings = readSettings(process.env, { root: tmpdir() })
const jobLimits = JSON.parse(process.env.DEMO_JOB_LIMITS ?? '{}')
await serve(settings, { extend: demoOperations, jobLimits, passwordCost })
