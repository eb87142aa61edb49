import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '@wharf/testkit'
import { run } from '../run.ts'
import { Profiles } from '../settings/profiles.ts'
import { CapturedIo, environmentOf, freshHome, runCaptured } from '../testing/captured-io.ts'

test('sign-in by a code that is confirmed elsewhere, and sessions', async (t) => {
  const server = await TestServer.start(t)
  const home = freshHome(t)

  /** A terminal without a password, and the code that it shows. */
  async function startLogin(...argv: string[]) {
    const io = new CapturedIo({ home, columns: 100 })
    const ended = run(['login', '--url', server.url, ...argv], io)
    const shown = /code (\S{9}) at\n +(\S+)/
    for (let tries = 0; tries < 200 && !shown.test(io.stderrText); tries++) await delay(10)
    const [, userCode = '', url = ''] = shown.exec(io.stderrText) ?? []
    return { io, ended, userCode, url }
  }
  const act = (action: string, userCode: string, more = {}) =>
    server.admin.put('/v1/device-logins/actions', { [action]: { userCode, ...more } })
  const keys = async () =>
    ((await server.admin.get('/v1/accesskeys?q=description~=wharf login%25')).body.inventories as object[]).length

  await t.test('login opens the browser and stores the key; logout deletes it', async () => {
    const { io, ended, userCode, url } = await startLogin('--as', 'mine', '--role', 'reader')
    assert.deepEqual(io.openedUrls, [url])
    assert.equal(url, `${server.url}/#/account/device?code=${userCode}`)
    const confirmed = await act('confirmDeviceLogin', userCode, { role: 'reader' })
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal(await ended, 0, io.stderrText)
    assert.ok(!io.stderrText.includes(new Profiles({ env: {}, home }).credentialOf('mine')?.accessKeySecret ?? ' '))
    const mine = (...argv: string[]) => runCaptured([...argv, '--profile', 'mine'], { home })
    assert.match((await mine('whoami')).stdout, /role +reader/)
    assert.equal(await keys(), 1)
    assert.equal((await mine('logout')).code, 0)
    assert.equal(await keys(), 0)
    assert.equal((await mine('whoami')).code, 4)
  })

  await t.test('a denied login fails with the reason, and --no-browser opens none', async () => {
    const { io, ended, userCode } = await startLogin('--no-browser')
    await act('denyDeviceLogin', userCode)
    assert.equal(await ended, 1)
    assert.match(io.stderrText, /the user denied the sign-in\n.*wharf login --account/)
    assert.deepEqual(io.openedUrls, [])
  })

  await t.test('sessions are listed and ended', async () => {
    const { accountUuid } = await server.signIn('operator', 'alice')
    const admin = (...argv: string[]) => runCaptured(argv, { home, env: environmentOf(server.bootstrap) })
    const sessions = async (): Promise<{ uuid: string }[]> =>
      JSON.parse((await admin('session', 'list', '--query', `userUuid=${accountUuid}`, '--json')).stdout)
    const [{ uuid } = { uuid: '' }] = await sessions()
    assert.match((await admin('session', 'list')).stdout, new RegExp(`${uuid} +alice +Password +127\\.0\\.0\\.1`))
    assert.match((await admin('session', 'end', uuid.slice(0, 12))).stderr, /Ended session/)
    await server.logIn('alice', 'password of alice')
    assert.match((await admin('session', 'end', '--all', '--user', 'alice')).stderr, /Ended 1 session\./)
    assert.deepEqual(await sessions(), [])
    assert.equal((await admin('session', 'end')).code, 2)
    assert.equal((await admin('session', 'end', '--user', 'alice')).code, 2)
  })
})
