import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Session } from './session.ts'
import { LocalTransport } from './transport.ts'

test('output of one stream is kept until the other has started, although the script has ended', async () => {
  const script = `
printf '\\n%s\\n' "$0"
echo rest
{ sleep 0.2; printf '\\n%s\\n' "$0" >&2; } >/dev/null &
exit 0`
  const { signal } = new AbortController()
  const session = await Session.open(new LocalTransport(), script, [], { signal })
  const { found } = await session.waitForStart(session.stdout, session.stderr)
  assert.ok(found)
  assert.equal(await text(session.stdout), 'rest\n')
})
