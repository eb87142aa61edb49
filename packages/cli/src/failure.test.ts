import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { UploadError, WharfError } from '@wharf/sdk'
import { failureText } from './failure.ts'
import { CapturedIo } from './testing/captured-io.ts'

const told = (error: unknown): Promise<string> =>
  failureText(error, { io: new CapturedIo(), command: 'wharf host list' })
const none = { elaboration: null, opaque: null, cause: null }

test('details of several lines keep them, and nothing that steers a terminal', async () => {
  const details = 'first\nsecond \u001b[2J\r\nthird (request abc)'
  const error = new WharfError({ code: 'SYS.1016', description: 'failed', details, ...none }, { status: 503 })
  assert.equal(
    await told(error),
    'error: wharf host list failed: SYS.1016 failed\n  first\n  second \\u001b[2J\n  third',
  )
})

test('an explanation of several lines keeps them too', async () => {
  const error = {
    name: 'WharfError',
    code: 'SYS.1016',
    description: 'failed',
    elaboration: async () => ({ text: 'because\nso do this' }),
  }
  assert.equal(
    await told(error),
    'error: wharf host list failed: SYS.1016 failed\n  Why, and what to do: because\n  so do this',
  )
})

test('only a fault of the program itself is told with its trace', async () => {
  assert.equal(await told(new UploadError('the file has changed')), 'error: the file has changed')
  assert.match(await told(new RangeError('oops')), /\n {4}at /)
})
