import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client, reverseCleanup, serverEnvironment, TestServer, testEngine, testOnce } from '@wharf/testkit'
import { nodeUuidPath } from './bootstrap.ts'
import { type BootstrapFile, bootstrapPath } from './bootstrap-file.ts'

type Context = { after(work: () => Promise<void>): void }
type Environment = Record<string, string>

const dataOf = (environment: Environment): string => environment.WHARF_DATA ?? ''
const fileOf = (environment: Environment): BootstrapFile =>
  JSON.parse(readFileSync(bootstrapPath(dataOf(environment)), 'utf8'))

/** Starts a server, runs the work and stops it; the next start uses its data. */
async function during<T>(environment: Environment, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await TestServer.open(environment)
  try {
    return await work(server)
  } finally {
    await server.app.close()
  }
}

const setUp = (t: Context): Promise<Environment> => serverEnvironment(reverseCleanup(t), { hasTables: false })
const keyOf = ({ url, accessKeyId: id = '', accessKeySecret: secret = '' }: BootstrapFile): Client =>
  new Client(url, { kind: 'key', id, secret })

async function assertCredentialsWork(server: TestServer, file: BootstrapFile): Promise<void> {
  assert.equal((await keyOf(file).get('/v1/accounts')).status, 200)
  await server.logIn('admin', file.password ?? '')
}

test('the first start writes its address and working credentials', async (t) => {
  const environment = await setUp(t)
  await during(environment, async (server) => {
    const file = fileOf(environment)
    const fields =
      'url accountName password accountUuid userUuid accessKeyId accessKeySecret managementNodeUuid hostUuid backupStorageUuid'
    assert.deepEqual(Object.keys(file), fields.split(' '))
    assert.equal(file.url, server.url)
    assert.equal(statSync(bootstrapPath(dataOf(environment))).mode & 0o777, 0o600)
    await assertCredentialsWork(server, file)

    const admin = keyOf(file)
    const one = async (path: string): Promise<Record<string, unknown>> => {
      const { body } = await admin.get(path)
      assert.equal((body.inventories as unknown[]).length, 1, path)
      return (body.inventories as Record<string, unknown>[])[0] ?? {}
    }
    assert.equal((await one(`/v1/accounts/${file.accountUuid}`)).name, 'admin')
    assert.equal((await one(`/v1/users/${file.userUuid}`)).role, 'admin')
    assert.equal((await one('/v1/accesskeys')).AccessKeyID, file.accessKeyId)
    assert.equal((await one(`/v1/management-nodes/${file.managementNodeUuid}`)).status, 'Alive')
    const host = await one(`/v1/hosts/${file.hostUuid}`)
    assert.deepEqual([host.name, host.driver, host.status], ['this-node', 'local', 'Connected'])
    const storage = await one(`/v1/backup-storage/${file.backupStorageUuid}`)
    assert.deepEqual([storage.type, storage.status], ['folder', 'Connected'])
  })
})

test('a later start updates only the address', async (t) => {
  const environment = await setUp(t)
  const { url: firstUrl, ...first } = await during(environment, async () => fileOf(environment))
  chmodSync(bootstrapPath(dataOf(environment)), 0o644)
  await during(environment, async (server) => {
    const { url, ...rest } = fileOf(environment)
    assert.deepEqual(rest, first)
    assert.equal(url, server.url)
    assert.notEqual(url, firstUrl)
    assert.equal(statSync(bootstrapPath(dataOf(environment))).mode & 0o777, 0o600)
    await assertCredentialsWork(server, { ...rest, url })
    assert.equal(((await server.admin.get('/v1/hosts?count=true')).body as { total: number }).total, 1)
  })
})

testOnce('a removed file is created again without secrets, and the credentials remain valid', async (t) => {
  const environment = await setUp(t)
  const { password, accessKeyId, accessKeySecret, ...rest } = await during(environment, async () => fileOf(environment))
  rmSync(bootstrapPath(dataOf(environment)))
  await during(environment, async (server) => {
    assert.deepEqual(fileOf(environment), { ...rest, url: server.url })
    await assertCredentialsWork(server, {
      ...rest,
      url: server.url,
      password,
      accessKeyId,
      accessKeySecret,
    } as BootstrapFile)
  })
})

testOnce('the backup storage of the first start follows the data folder, and no other storage does', async (t) => {
  const environment = await setUp(t)
  const moved = { ...environment, WHARF_DATA: `${dataOf(environment)} moved` }
  const other = `${dataOf(environment)}-other`
  mkdirSync(other)
  const storages = async (server: TestServer) => {
    const { body } = await server.admin.get('/v1/backup-storage?sort=name')
    return (body.inventories as Record<string, string>[]).map(({ name, url, status }) => [name, url, status])
  }
  const before = await during(environment, async (server) => {
    const params = { name: 'other', type: 'folder', url: `file://${other}` }
    assert.equal((await server.admin.post('/v1/backup-storage', { params })).status, 200)
    return storages(server)
  })
  await during(environment, async (server) => assert.deepEqual(await storages(server), before))

  renameSync(dataOf(environment), dataOf(moved))
  rmSync(join(dataOf(moved), 'backup-storage'), { recursive: true })
  await during(moved, async (server) => {
    const url = pathToFileURL(join(dataOf(moved), 'backup-storage')).href
    assert.deepEqual(await storages(server), [['local-folder', url, 'Connected'], before[1]])
    const actions = `/v1/backup-storage/${fileOf(moved).backupStorageUuid}/actions`
    assert.equal((await server.admin.put(actions, { reconnectBackupStorage: {} })).status, 200)
  })
})

testOnce('a deleted backup storage of the first start is not created again', async (t) => {
  const environment = await setUp(t)
  await during(environment, async (server) => {
    const { status } = await server.admin.delete(`/v1/backup-storage/${fileOf(environment).backupStorageUuid}`)
    assert.equal(status, 200)
  })
  const moved = { ...environment, WHARF_DATA: `${dataOf(environment)}-moved` }
  renameSync(dataOf(environment), dataOf(moved))
  await during(moved, async (server) => {
    assert.deepEqual((await server.admin.get('/v1/backup-storage')).body.inventories, [])
  })
})

testOnce('a weak password in the environment prevents the first start only', async (t) => {
  const environment = await setUp(t)
  const weak = { ...environment, WHARF_ADMIN_PASSWORD: 'Qwerty123456' }
  await assert.rejects(
    during(weak, async () => {}),
    /^OperatorError: WHARF_ADMIN_PASSWORD is among the 10,000 most used passwords of at least 12 characters; choose another one$/,
  )
  await during(environment, async () => {})
  await during(weak, async () => {})
})

testOnce('the password in the environment is used only at the first start', async (t) => {
  const environment = await setUp(t)
  const given = 'correct horse battery staple'
  await during({ ...environment, WHARF_ADMIN_PASSWORD: given }, async (server) => {
    assert.equal(fileOf(environment).password, given)
    await server.logIn('admin', given)
  })
  await during({ ...environment, WHARF_ADMIN_PASSWORD: 'another password' }, async (server) => {
    await server.logIn('admin', given)
    await assert.rejects(server.logIn('admin', 'another password'), /login failed/)
  })
})

async function untilFile(environment: Environment, isSo: (file: BootstrapFile) => boolean): Promise<BootstrapFile> {
  for (let tries = 0; tries < 300; tries++) {
    if (isSo(fileOf(environment))) return fileOf(environment)
    await delay(20)
  }
  return assert.fail('the file did not change')
}

testOnce('a password change removes the password from the file, and keeps the rest', async (t) => {
  const environment = await setUp(t)
  await during(environment, async (server) => {
    const { password, ...rest } = fileOf(environment)
    const other = { params: { name: 'bystander', password: 'its own password', role: 'reader' } }
    const { body } = await server.admin.post('/v1/accounts', other)
    const bystander = (body.inventory as { uuid: string }).uuid
    await server.admin.put(`/v1/accounts/${bystander}/actions`, { updateAccount: { password: 'the changed password' } })
    await delay(100)
    assert.equal(fileOf(environment).password, password)

    const change = { updateAccount: { password: 'the new password', oldPassword: password } }
    assert.equal((await server.admin.put(`/v1/accounts/${rest.accountUuid}/actions`, change)).status, 200)
    assert.deepEqual(await untilFile(environment, (file) => file.password === undefined), rest)
    await server.logIn('admin', 'the new password')
  })
})

testOnce('the next start removes a wrong password from the file', async (t) => {
  const environment = await setUp(t)
  await during(environment, async () => {})
  writeFileSync(bootstrapPath(dataOf(environment)), JSON.stringify({ ...fileOf(environment), password: 'outdated' }))
  await during(environment, async () => untilFile(environment, (file) => file.password === undefined))
})

testOnce('credentials of a first start that cannot listen work at the next one', async (t) => {
  const environment = await setUp(t)
  const obstacle = createServer().listen(0, '127.0.0.1')
  t.after(async () => void obstacle.close())
  await once(obstacle, 'listening')
  const { port } = obstacle.address() as AddressInfo
  await assert.rejects(TestServer.open({ ...environment, WHARF_PORT: String(port) }), /the port is in use/)
  await during(environment, (server) => assertCredentialsWork(server, fileOf(environment)))
})

test('the next start completes a failed first start', async (t) => {
  const environment = await setUp(t)
  const obstacle = join(dataOf(environment), 'backup-storage')
  mkdirSync(dataOf(environment))
  writeFileSync(obstacle, 'a file in place of a folder')
  await assert.rejects(TestServer.open(environment), /EEXIST/)
  rmSync(obstacle)
  await during(environment, (server) => assertCredentialsWork(server, fileOf(environment)))
})

testOnce('refuses an invalid node uuid, and names its file', async (t) => {
  const environment = await setUp(t)
  await during(environment, async () => {})
  writeFileSync(nodeUuidPath(dataOf(environment)), '\n')
  await assert.rejects(TestServer.open(environment), /node-uuid does not contain a uuid of 32 hex digits$/)
})

testOnce('a damaged bootstrap.json stops the start and is not changed', async (t) => {
  const environment = await setUp(t)
  await during(environment, async () => {})
  const path = join(dataOf(environment), 'bootstrap.json')
  writeFileSync(path, '{ "password": "still legible"')
  await assert.rejects(TestServer.open(environment), /bootstrap\.json cannot be read; fix it, or move it away/)
  assert.match(readFileSync(path, 'utf8'), /still legible/)
})

if (testEngine === 'postgres') {
  test('only the first node on a database creates an admin; each has its own machine and folder', async (t) => {
    const environment = await setUp(t)
    const second = { ...environment, WHARF_DATA: `${dataOf(environment)}-2` }
    await during(environment, (first) =>
      during(second, async () => {
        const [mine, theirs] = [fileOf(environment), fileOf(second)]
        const fields = ['url', 'managementNodeUuid', 'hostUuid', 'backupStorageUuid'] as const
        assert.deepEqual(Object.keys(theirs), fields)
        for (const field of fields) assert.notEqual(theirs[field], mine[field], field)
        const { body } = await first.admin.get('/v1/accounts?count=true')
        assert.equal(body.total, 1)
        assert.equal((await first.admin.get(`/v1/hosts/${theirs.hostUuid}`)).status, 200)
      }),
    )
  })

  test('concurrent first starts create one admin', async (t) => {
    const environment = await setUp(t)
    const folders = ['a', 'b', 'c'].map((name) => ({ ...environment, WHARF_DATA: `${dataOf(environment)}-${name}` }))
    const servers = await Promise.all(folders.map((folder) => TestServer.open(folder)))
    try {
      const credentials = folders.map(fileOf).filter((file) => file.password !== undefined)
      assert.equal(credentials.length, 1)
      const [file] = credentials
      assert.ok(file)
      for (const server of servers)
        assert.equal((await keyOf({ ...file, url: server.url }).get('/v1/accounts')).status, 200)
    } finally {
      await Promise.all(servers.map((server) => server.app.close()))
    }
  })
}
