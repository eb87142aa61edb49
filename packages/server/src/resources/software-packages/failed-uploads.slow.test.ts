import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type Answer,
  assertFailure,
  filesIn,
  gzipped,
  installable,
  keptByServer,
  PackageFixture,
  zipped,
} from '@wharf/testkit'

/** Failures during the transfer: the record stays as UploadFailed, its files are removed, and it can be deleted. */

const maxBytes = 20_000
// the data folder by a link, as when it is on another disk
const real = mkdtempSync(join(tmpdir(), 'wharf-real-'))
const data = join(real, 'link/data')
mkdirSync(join(real, 'disk'))
symlinkSync(join(real, 'disk'), join(real, 'link'))
after(() => rmSync(real, { recursive: true }))
const environment = { WHARF_MAX_PACKAGE_BYTES: String(maxBytes), WHARF_DATA: data }
const fixture = await PackageFixture.start({ after }, { environment })
const { source, folder, server } = fixture
const bytes = installable()
const url = source.serve('p.tar', bytes)

interface Failure {
  readonly name: string
  readonly params: Record<string, unknown>
  readonly to?: 'host' | 'storage'
  readonly status: number
  readonly code: string
  readonly details?: string
}

const testFailure = (fixture: PackageFixture, { name, params, to = 'host', ...expected }: Failure): void => {
  test(`fails with ${name}`, async () => {
    const before = [...filesIn(folder), ...keptByServer(server)]
    const uuid = randomBytes(16).toString('hex')
    const upload = (): Promise<Answer> =>
      to === 'host'
        ? fixture.upload({ url, installPath: join(folder, 'new/er/p.tar'), resourceUuid: uuid, ...params })
        : fixture.toStorage({ url, installPath: 'new/er/p.tar', resourceUuid: uuid, ...params })
    assertFailure(await upload(), expected)
    const { status, md5sum, size, unzipInstallPath } = await fixture.get(uuid)
    assert.deepEqual([status, md5sum, size, unzipInstallPath], ['UploadFailed', null, 0, null])
    assert.deepEqual([...filesIn(folder), ...keptByServer(server)], before)
    assertFailure(await fixture.install(uuid), { status: 409, code: 'SYS.1005', details: 'UploadFailed' })
    assertFailure(await fixture.uninstall(uuid), { status: 409, code: 'SYS.1005', details: 'UploadFailed' })
    const deleted = await fixture.admin.delete(`/v1/software-package/${uuid}`)
    assert.equal(deleted.status, 200, deleted.text)
    assert.equal((await fixture.admin.get(`/v1/software-package/${uuid}`)).status, 404)
    assert.deepEqual([...filesIn(folder), ...keptByServer(server)], before)
  })
}

const http = { status: 502, code: 'SYS.1015' }
const tooLarge = { status: 413, code: 'SYS.1007', details: 'WHARF_MAX_PACKAGE_BYTES' }
const path = { status: 400, code: 'SoftwarePackage.1131' }
const exists = { status: 409, code: 'SYS.1002', details: 'exists' }
const hostile = { status: 400, code: 'SoftwarePackage.1132' }
const large = Buffer.alloc(maxBytes + 1, 'x')

const at = (name: string): string => join(folder, name)
symlinkSync('/etc', at('harmless'))
mkdirSync(at('a'))
symlinkSync('../harmless', at('a/second'))
symlinkSync('/missing/target', at('dangling'))
symlinkSync(join(real, 'disk/data'), at('data'))
mkdirSync(at('.hidden'))
mkdirSync(at('.hidden/.ssh'))
symlinkSync('.hidden/.ssh', at('keys'))
writeFileSync(at('file'), 'mine')
writeFileSync(at('large'), large)
const occupied = join(data, 'backup-storage/mine.tar')
writeFileSync(occupied, 'mine')

const served = {
  missing: source.serve('refused', (response) => void response.writeHead(403).end()),
  broken: source.serve('broken.tar', (response) => {
    response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 1000))
    setTimeout(() => response.destroy(), 20)
  }),
  endless: source.serve('endless', (response) => {
    response.writeHead(200).write(large)
    response.end()
  }),
  elsewhere: source.serve(
    'moved',
    (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  ),
  loop: source.serve('loop', (response) => void response.writeHead(302, { location: '/loop' }).end()),
}

/** Any package with another digest than announced leaves nothing, on a host and on storage. */
const sources = {
  'a tar': url,
  'a compressed tar': source.serve('d.tar.gz', gzipped(bytes)),
  'a zip': source.serve('d.zip', zipped({ 'wharf.json': '{"name":"d","version":"1","type":"demo"}' })),
  'a file that is not an archive': source.serve('text', Buffer.from('text')),
  'a file': `file://${at('announced.tar')}`,
}
writeFileSync(at('announced.tar'), bytes)
const announced = Object.entries({ MD5: '0'.repeat(32), 'SHA-256': `{${'AB'.repeat(32)}}` })
const mismatches = Object.entries(sources).flatMap(([what, address], index) =>
  (['host', 'storage'] as const).map((to, second): Failure => {
    const [kind = '', digest] = announced[(index + second) % 2] ?? []
    const params = { url: address, systemTags: [`uploadSoftwarePackage::${digest}`] }
    return {
      name: `another ${kind} of ${what}, to ${to}`,
      to,
      params,
      ...hostile,
      details: `the ${kind} of the package is `,
    }
  }),
)

const rows: Failure[] = [
  ...mismatches,
  {
    name: 'another SHA-256, though the MD5 is right',
    params: { systemTags: [hash('md5', bytes), 'f'.repeat(64)].map((key) => `uploadSoftwarePackage::${key}`) },
    ...hostile,
    details: `the SHA-256 of the package is ${hash('sha256', bytes)} instead of the announced ${'f'.repeat(64)}`,
  },
  { name: 'a source without the file', params: { url: `${url}.gone` }, ...http, details: '404' },
  { name: 'a source that refuses', params: { url: served.missing }, ...http, details: '403' },
  { name: 'a source whose connection breaks', params: { url: served.broken }, ...http },
  { name: 'a source whose connection breaks, to storage', to: 'storage', params: { url: served.broken }, ...http },
  { name: 'a source that does not listen', params: { url: 'http://127.0.0.1:1/x' }, ...http },
  { name: 'a source that redirects to a file', params: { url: served.elsewhere }, status: 400, code: 'SYS.1007' },
  { name: 'a source that redirects endlessly', params: { url: served.loop }, ...http },
  { name: 'more bytes than allowed, announced', params: { url: source.serve('large', large) }, ...tooLarge },
  { name: 'more bytes than allowed, not announced', params: { url: served.endless }, ...tooLarge },
  { name: 'more bytes than allowed, to storage', to: 'storage', params: { url: served.endless }, ...tooLarge },
  { name: 'a file that is too large', params: { url: `file://${at('large')}` }, ...tooLarge },
  { name: 'a file that does not exist', params: { url: `file://${at('gone')}` }, status: 502, code: 'SYS.1016' },
  { name: 'a file outside of the roots', params: { url: 'file:///etc/hostname' }, status: 400, code: 'SYS.1007' },
  {
    name: 'a link to a file outside of the roots',
    params: { url: `file://${at('harmless/hostname')}` },
    status: 400,
    code: 'SYS.1007',
  },
  {
    name: 'a text with the name of an archive',
    params: { url: source.serve('no.zip', Buffer.from('text')) },
    ...hostile,
  },
  {
    name: 'a text with the name of an archive, to storage',
    to: 'storage',
    params: { url: source.serve('no.tar', Buffer.from('text')) },
    ...hostile,
  },
  {
    name: 'a parent that links to /etc',
    params: { installPath: at('harmless/wharf-test/x.tar') },
    ...path,
    details: '/etc',
  },
  {
    name: 'a parent that links to /etc by another link',
    params: { installPath: at('a/second/x.tar') },
    ...path,
    details: '/etc',
  },
  { name: 'a parent that links to the data folder', params: { installPath: at('data/x.tar') }, ...path },
  { name: 'the data folder by its real path', params: { installPath: join(real, 'disk/data/x.tar') }, ...path },
  { name: 'a parent that links to .ssh', params: { installPath: at('keys/x.tar') }, ...path, details: '.ssh' },
  { name: 'a parent that is a dangling link', params: { installPath: at('dangling/x.tar') }, ...path },
  { name: 'a parent that is a file', params: { installPath: at('file/x.tar') }, ...path },
  { name: 'a file at its path', params: { installPath: at('file') }, ...exists },
  { name: 'a folder at its path', params: { installPath: at('a') }, ...exists },
  { name: 'a link at its path', params: { installPath: at('dangling') }, ...exists },
  { name: 'a file at its path on storage', to: 'storage', params: { installPath: 'mine.tar' }, ...exists },
]
for (const row of rows) testFailure(fixture, row)

test('the existing files at those paths are unchanged', () => {
  assert.equal(readFileSync(at('file'), 'utf8'), 'mine')
  assert.equal(readFileSync(occupied, 'utf8'), 'mine')
  assert.ok(!existsSync('/etc/wharf-test'))
})

test('an existing folder at the unpacked path is not changed, and nothing of the package is left', async () => {
  const other = source.serve('q.tar', installable({ type: 'q' }))
  const { md5sum, uuid } = (await fixture.upload({ url: other, installPath: at('q.tar') })).body.inventory as Record<
    string,
    string
  >
  await fixture.admin.delete(`/v1/software-package/${uuid}`)
  mkdirSync(at(`q.tar_${md5sum}`))
  const before = filesIn(folder)
  assertFailure(await fixture.upload({ url: other, installPath: at('q.tar') }), exists)
  assert.deepEqual(filesIn(folder), before)
})

test('loopback is refused unless WHARF_DOWNLOAD_ALLOW admits it', async (t) => {
  const guarded = await PackageFixture.start(t, { environment: { WHARF_DOWNLOAD_ALLOW: '' } })
  for (const address of [url, url.replace('127.0.0.1', 'localhost'), url.replace('127.0.0.1', '2130706433')]) {
    const refused = await guarded.upload({ url: address, installPath: join(guarded.folder, 'p.tar') })
    assertFailure(refused, { status: 400, code: 'SYS.1007', details: 'WHARF_DOWNLOAD_ALLOW' })
  }
  assert.deepEqual([...filesIn(guarded.folder), ...keptByServer(guarded.server)], [])
})
