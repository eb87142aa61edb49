import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { UploadError, WharfError } from '@wharf/sdk'
import { TimedOutError } from './errors.ts'
import { formatError } from './format-error.ts'
import { CapturedIo } from './testing/captured-io.ts'

const format = (error: unknown): Promise<string> =>
  formatError(error, { io: new CapturedIo(), command: 'wharf host list' })
const none = { elaboration: null, opaque: null, cause: null }

test('keeps the lines of details and escapes control characters', async () => {
  const details = 'first\nsecond \u001b[2J\r\nthird (request abc)'
  const error = new WharfError({ code: 'SYS.1016', description: 'failed', details, ...none }, { status: 503 })
  assert.equal(
    await format(error),
    'error: wharf host list failed: SYS.1016 failed\n  first\n  second \\u001b[2J\n  third',
  )
})

test('keeps the lines of a hint', async () => {
  const error = {
    name: 'WharfError',
    code: 'SYS.1016',
    description: 'failed',
    elaboration: async () => ({ text: 'because\nso do this' }),
  }
  assert.equal(await format(error), 'error: wharf host list failed: SYS.1016 failed\n  Hint: because\n  so do this')
})

test('a failed sign-in has the hint about names and secrets only when they are wrong', async () => {
  const failed = (details: string) =>
    format(new WharfError({ code: 'ID.1000', description: 'failed', details, ...none }, { status: 401 }))
  assert.match(await failed('wrong name or password'), /Hint: The name and password, /)
  for (const details of [
    'the second factor is wrong or was used before; enter the next code',
    'access key A expired on B',
  ])
    assert.equal(await failed(details), `error: wharf host list failed: ID.1000 failed\n  ${details}`)
})

test('prints a stack trace only for bugs', async () => {
  assert.equal(await format(new UploadError('the file has changed')), 'error: the file has changed')
  assert.equal(await format(new TimedOutError('it runs', 'wait')), 'error: it runs\n  wait')
  assert.match(await format(new RangeError('oops')), /\n {4}at /)
})
