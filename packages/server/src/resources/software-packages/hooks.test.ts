import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobContext } from '../../jobs/definition.ts'
import { LogBuffer } from '../../jobs/log-buffer.ts'
import { openLocalDriver } from '../hosts/local-driver.ts'
import { runHook } from './hooks.ts'

/** Runs shell text as a hook whose result contains a token. */
async function createToken(script: string) {
  const buffer = new LogBuffer(0)
  const context: Partial<JobContext> = {
    jobUuid: 'job',
    signal: new AbortController().signal,
    log: (line) => buffer.add(0, line),
    conceal: (secret) => buffer.conceal(secret),
    maskLine: (line) => buffer.maskLine(line),
  }
  const hook = { run: ['sh', '-c', script] }
  const run = { driver: openLocalDriver(), hook, name: 'cluster.token', folder: '/', input: {}, secretResult: 'token' }
  const result = await runHook(context as JobContext, run).catch((error: Error) => error.message)
  return { result, log: buffer.take().map(({ line }) => line) }
}

test('a secret that a program creates is masked in its earlier output too', async () => {
  const { result, log } = await createToken(`echo 'created abc-123'; echo '::result {"token":"abc-123"}'; echo done`)
  assert.deepEqual(result, { token: 'abc-123' })
  assert.deepEqual(log, ['created [secret]', 'done'])
})

test('a secret that a program creates is masked in its failure', async () => {
  const { result, log } = await createToken(
    `printf '%497sabc-123' ' '; echo; echo '::result {"token":"abc-123"}'; exit 4`,
  )
  assert.match(String(result), /exit code 4: +\[se$/)
  assert.match(log.join('\n'), /^ +\[secret\]$/)
})
