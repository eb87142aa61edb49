import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Canaries, installable, PackageFixture, recordIn } from '@wharf/testkit'

const fixture = await PackageFixture.start({ after })
const { admin, server } = fixture
const canaries = new Canaries()
const password = canaries.create('a field')
const key = canaries.create('a field within')
const word = canaries.create('an item')
const quoted = `it's "${canaries.create('a quoted text')}" & $HOME`
const pin = 730_214_659_101
const long = canaries.create('a long text').repeat(600)

const secret = { type: 'string', writeOnly: true }
const config = {
  type: 'object',
  properties: {
    colour: { type: 'string' },
    password: secret,
    user: { type: 'object', properties: { key: { $ref: '#/$defs/secret' } } },
    words: { type: 'array', items: secret },
    quoted: secret,
    pin: { type: 'integer', writeOnly: true },
    long: secret,
  },
  $defs: { secret },
}
const sent = { colour: 'turquoise', password, user: { key }, words: [word], quoted, pin, long }

/** Shell text that prints its input in every form. */
const print = `
input=$(cat)
field() { printf '%s' "$input" | sed "s/.*\\"$1\\":\\"\\{0,1\\}\\([^,\\"}]*\\).*/\\1/"; }
echo "input $input"
echo "::progress 40 with $(field password)"
printf '%s' "$(field password)" | cut -c1-9 | tr -d '\\n'; sleep 0.3; printf '%s\\n' "$(field password)" | cut -c10-
printf '%490s%s\\n' ' ' "$(field password)"
printf '%s' "$(field password)" | base64 -w0; echo
echo "pin $(field pin)" >&2
echo "key $(field key)" >&2
set -x
: "$(field colour)" "$(field password)"`

let count = 0
async function installWith(hooks: Record<string, string>) {
  const url = fixture.source.serve('p.tar', installable({ config, hooks }))
  const installPath = join(fixture.folder, `${count++}.tar`)
  const { uuid } = recordIn(await fixture.upload({ url, installPath }))
  const answer = await fixture.install(uuid, sent)
  const { body } = await admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&q=operation=InstallSoftwarePackage`)
  const [job] = body.inventories as { uuid: string }[]
  return { answer, log: (await admin.get(`/v1/api-jobs/${job?.uuid}/log`)).text }
}

function assertConcealed(what: string, text: string): void {
  assert.deepEqual(canaries.findIn(text), [], what)
  for (const one of [String(pin), password.slice(0, 20), long.slice(0, 20), Buffer.from(password).toString('base64')])
    assert.ok(!text.includes(one), `${what}: ${text.slice(0, 2000)}`)
}

for (const [name, hooks] of [
  ['install', { install: `${print}; exit 3` }],
  ['verify', { install: 'cat >/dev/null', verify: `${print}; exit 3` }],
] as const)
  test(`a write-only value is masked when the ${name} program prints it and fails`, async () => {
    const { answer, log } = await installWith(hooks)
    assert.equal(answer.body.error?.code, 'SoftwarePackage.1300', answer.text)
    assert.match(answer.body.error?.details ?? '', /turquoise/)
    assert.match(log, /turquoise/)
    assert.match(log, /with \[secret\]/)
    assert.match(log, /pin \[secret\]/)
    assertConcealed('the failure', answer.text)
    assertConcealed('the job log', log)
  })

test('a write-only value is neither in the log of the server nor in events nor in the database', async () => {
  await installWith({ install: print })
  assertConcealed('the log of the server', server.logText)
  const { database } = server.app.foundation
  for (const table of ['jobs', 'jobLogs', 'events', 'systemTags', 'idempotencyKeys', 'softwarePackages'] as const) {
    const rows = await database.read.selectFrom(table).selectAll().execute()
    assert.ok(rows.length > 0 || table === 'idempotencyKeys', table)
    const bytes = rows.flatMap((row) => Object.values(row).filter((value) => value instanceof Uint8Array))
    const text = Buffer.concat(bytes as Uint8Array[]).toString('latin1')
    assertConcealed(table, JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? null : value)) + text)
  }
})

test('a configuration has at most a thousand write-only values', async () => {
  const url = fixture.source.serve('many.tar', installable({ config }))
  const { uuid } = recordIn(await fixture.upload({ url, installPath: join(fixture.folder, 'many.tar') }))
  const words = Array.from({ length: 1001 }, (_, at) => `word ${at}`)
  const { status, body } = await fixture.install(uuid, { words })
  assert.equal(status, 400)
  assert.match(body.error?.details ?? '', /has 1001 different write-only values; at most 1000 are allowed/)
})
