import { tmpdir } from 'node:os'
import { readSettings } from '@wharf/server/composition/settings.ts'
import { serve } from '@wharf/server/program/serve.ts'
import { passwordCost } from '../server/server.ts'
import { trialOperations } from './trial-job.ts'

/** The server with the trial job in it, as a program that tests can kill. */
const settings = readSettings(process.env, { root: tmpdir() })
const jobLimits = JSON.parse(process.env.TRIAL_JOB_LIMITS ?? '{}')
void serve(settings, { extend: trialOperations, jobLimits, passwordCost })
