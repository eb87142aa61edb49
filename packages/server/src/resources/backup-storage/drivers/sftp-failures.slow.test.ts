import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { hostsNeedRoot, type SftpStorage, startHosts, startSftpStorage, type TestHost } from '@wharf/testkit'
import { SftpDriver } from './sftp-driver.ts'
import { newPartName } from './storage-path.ts'

const { signal } = new AbortController()

interface Cleanup {
  after(work: () => Promise<void>): void
}

type StorageLocation = Pick<SftpStorage, 'host' | 'username' | 'root'>

function openDriver(
  t: Cleanup,
  { host, username, root }: StorageLocation,
  more: Partial<TestHost> & { root?: string } = {},
) {
  const { address, port, hostKey, privateKey } = { ...host, ...more }
  const driver = new SftpDriver({
    address,
    port,
    hostKey,
    username,
    root: more.root ?? root,
    privateKey: Secret.of(privateKey),
    onlyThisKey: true,
    configFile: 'none',
    storage: 'backup storage test',
  })
  t.after(() => driver.close())
  return driver
}

const causeOf = (code: string, cause: string) => (error: unknown) => {
  assert.ok(error instanceof ApiError)
  assert.equal(error.code, code, error.message)
  assert.ok(error.cause instanceof ApiError, String(error.cause))
  assert.equal(error.cause.code, cause, error.cause.message)
  return true
}

test('reports why it cannot be reached', async (t) => {
  const storage = await startSftpStorage(t)
  const [other] = await startHosts(t, 1)
  const { privateKey = '', hostKey = '' } = other ?? {}
  await assert.rejects(openDriver(t, storage, { privateKey }).usage({ signal }), causeOf('BS.1003', 'HOST.1005'))
  await assert.rejects(openDriver(t, storage, { hostKey }).usage({ signal }), causeOf('BS.1003', 'HOST.1004'))
  await assert.rejects(openDriver(t, storage, { port: 1 }).usage({ signal }), causeOf('BS.1003', 'HOST.1003'))
  const elsewhere = openDriver(t, storage, { root: '/no/such/folder' })
  await assert.rejects(elsewhere.check({ signal }), { code: 'BS.1003', message: /\/no\/such\/folder/ })
})

test('a reinstalled host is refused', async (t) => {
  const storage = await startSftpStorage(t)
  const driver = openDriver(t, storage)
  await driver.check({ signal })
  await storage.host.replaceHostKey()
  await assert.rejects(driver.check({ signal }), causeOf('BS.1003', 'HOST.1004'))
})

test('a put whose connection breaks fails clearly and leaves nothing, and the next one works', async (t) => {
  const storage = await startSftpStorage(t)
  const driver = openDriver(t, storage)
  const source = Readable.from(
    (async function* () {
      yield randomBytes(5_000_000)
      storage.host.cutConnections()
      for (let count = 0; count < 100; count++) yield randomBytes(1_000_000)
    })(),
  )
  await assert.rejects(driver.put(source, 'some/file', { signal }), causeOf('BS.1500', 'HOST.1003'))
  assert.ok(source.destroyed)
  assert.deepEqual(await storage.contents(), [])
  await driver.put(Readable.from(['whole']), 'some/file', { signal })
  assert.deepEqual(await storage.contents(), ['some/file'])
})

test('a get whose connection breaks fails instead of ending early', async (t) => {
  const storage = await startSftpStorage(t)
  const driver = openDriver(t, storage)
  await driver.put(Readable.from([randomBytes(20_000_000)]), 'file', { signal })
  const stream = driver.get('file', { signal })
  const reading = (async () => {
    let count = 0
    for await (const chunk of stream) {
      if (count === 0) storage.host.cutConnections()
      count += chunk.length
    }
  })()
  await assert.rejects(reading, { code: 'BS.1500' })
})

test('a host that stops answering is detected in 15 s, with back-pressure until then', async (t) => {
  const storage = await startSftpStorage(t)
  const driver = openDriver(t, storage)
  await driver.check({ signal })
  t.after(async () => storage.host.thaw())
  let readBytes = 0
  const source = new Readable({
    read() {
      readBytes += 65_536
      if (readBytes === 65_536 * 4) storage.host.freeze()
      this.push(Buffer.alloc(65_536))
    },
  })
  const began = performance.now()
  await assert.rejects(driver.put(source, 'file', { signal }), causeOf('BS.1500', 'HOST.1003'))
  // the clean-up tries to connect once more
  assert.ok(performance.now() - began < 22_000)
  assert.ok(readBytes < 20_000_000, `${readBytes} bytes were taken from the source`)
})

test('the next put or removal of a file removes what a killed put left', async (t) => {
  const storage = await startSftpStorage(t)
  const driver = openDriver(t, storage)
  const { host, folder, username } = storage
  const leave = (name: string): Promise<string> =>
    host.exec(`mkdir -p ${folder}/some; echo half >${folder}/some/${newPartName(name)}; chown -R ${username} ${folder}`)
  await leave('file')
  await leave('other')
  await driver.put(Readable.from(['whole']), 'some/file', { signal })
  assert.equal((await storage.contents()).length, 2)
  await driver.remove('some/other', { signal })
  assert.deepEqual(await storage.contents(), ['some/file'])
})

test('reads files only: a FIFO would block everything', async (t) => {
  const storage = await startSftpStorage(t)
  await storage.host.exec(`mkfifo ${storage.folder}/fifo`)
  const driver = openDriver(t, storage)
  await assert.rejects(buffer(driver.get('fifo', { signal })), { code: 'BS.1500', message: /it is not a file/ })
})

test('a folder without write permission is reported', async (t) => {
  const storage = await startSftpStorage(t)
  await storage.host.exec(`chmod 0500 ${storage.folder}`)
  const driver = openDriver(t, storage)
  await assert.rejects(driver.check({ signal }), { code: 'BS.1500', message: /Permission denied/ })
})

test('a full disk is reported, and nothing of the file remains', { skip: hostsNeedRoot }, async (t) => {
  const storage = await startSftpStorage(t)
  const { host, folder, username } = storage
  await host.exec(`mount -t tmpfs -o size=1m,uid=$(id -u ${username}),mode=700 small ${folder}`)
  const driver = openDriver(t, storage)
  await driver.put(Readable.from(['fits']), 'small/file', { signal })
  const large = Readable.from([Buffer.alloc(3_000_000)])
  await assert.rejects(driver.put(large, 'large/file', { signal }), {
    code: 'SoftwarePackage.1121',
    message: /no space left for large\/file/,
  })
  assert.deepEqual(await storage.contents(), ['small/file'])
})

test('an account whose shell prints a greeting is reported', async (t) => {
  const [host] = await startHosts(t, 1, { sshd: ['ForceCommand echo good morning to everyone'] })
  if (host === undefined) throw new Error('there is no host')
  const driver = openDriver(t, { host, username: host.username, root: '/tmp' })
  await assert.rejects(driver.usage({ signal }), { code: 'BS.1500', message: /does not speak SFTP/ })
})

test('the arguments of processes contain no key and no password', async (t) => {
  const storage = await startSftpStorage(t)
  const driver = openDriver(t, storage)
  await driver.usage({ signal })
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'latin1')]
      } catch {
        return []
      }
    })
  const key = storage.host.privateKey.split('\n')[1] ?? ''
  assert.ok(key.length > 20)
  assert.ok(lines.some((line) => line.includes('sftp')))
  assert.ok(!lines.some((line) => line.includes(key)))
})
