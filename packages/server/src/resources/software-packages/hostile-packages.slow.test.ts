import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { assertFailure, filesIn, keptByServer, PackageFixture, recordIn, sampled } from '@wharf/testkit'
import {
  bombs,
  honestArchives,
  hostileCompressed,
  hostileManifests,
  hostileTars,
  hostileZips,
} from '@wharf/testkit/packages/archives.ts'

/** Sent through the whole server to this machine. */

const fixture = await PackageFixture.start({ after })
const { source, server } = fixture
/** A folder that no archive may write to; a file that escaped by one level would appear beside `inside`. */
const outside = mkdtempSync(join(tmpdir(), 'wharf-outside-'))
after(() => rmSync(outside, { recursive: true }))
const inside = join(fixture.folder, 'inside')
mkdirSync(inside)

const everything = (): string[] => [...filesIn(fixture.folder), ...filesIn(outside), ...keptByServer(server)]
const untouched = everything()

// cases that depend on the free space do not apply here
const hostile = [...hostileTars, ...hostileCompressed, ...hostileManifests, ...hostileZips].filter(
  ({ availableBytes }) => availableBytes === undefined,
)
/** packages/archives tests the inspection of each; this sample shows that nothing of them is written anywhere. */
const sent = sampled(hostile, 16)

/** On a small disk an endless archive may exceed the free space before its own rule. */
const refusal = (message: string): RegExp => new RegExp(`${RegExp.escape(message)}|bytes free`)

test('at least 170 packages are hostile', () => assert.ok(hostile.length >= 170, String(hostile.length)))

for (const [index, { name, fileName = 'package.tar', message, build }] of sent.entries())
  test(`refuses ${name}`, { timeout: 10_000 }, async () => {
    const url = source.serve(`h${index}/${fileName}`, build(outside))
    const resourceUuid = hash('md5', name, 'hex')
    const answer = await fixture.upload({ url, installPath: join(inside, 'new/p'), resourceUuid })
    assertFailure(answer, { status: 400, code: 'SoftwarePackage.1132', details: refusal(message) })
    const { status, md5sum, size } = await fixture.get(resourceUuid)
    assert.deepEqual([status, md5sum, size], ['UploadFailed', null, 0])
    assert.deepEqual(everything(), untouched)
  })

/** packages/archives/src/bombs.slow.test.ts measures their memory. */
const endless = bombs.filter(({ availableBytes }) => availableBytes >= 2 ** 40)
for (const { name, fileName, message, parts } of process.env.TEST_LONG ? endless : endless.slice(0, 1))
  test(`refuses ${name}`, { timeout: 30_000 }, async () => {
    const url = source.serve(`bomb/${fileName}`, (response) => {
      response.writeHead(200)
      const chunks = parts()[Symbol.iterator]()
      const more = (): void => {
        for (let next = chunks.next(); !response.destroyed; next = chunks.next()) {
          if (next.done) return void response.end()
          if (!response.write(next.value)) return void response.once('drain', more)
        }
      }
      more()
    })
    const answer = await fixture.upload({ url, installPath: join(inside, 'new/p') })
    assertFailure(answer, { status: 400, code: 'SoftwarePackage.1132', details: refusal(message) })
    assert.deepEqual(everything(), untouched)
  })

test('the folder above was never written to', () => {
  assert.deepEqual(readdirSync(fixture.folder), ['inside'])
  assert.deepEqual(readdirSync(inside), [])
  assert.deepEqual(readdirSync(outside), [])
})

/** Properties that some of them must have after unpacking. */
const expectations: Record<string, (folder: string) => void> = {
  'setuid, setgid and sticky bits': (folder) => assert.equal(lstatSync(join(folder, 'a')).mode & 0o777, 0o755),
  'names that differ in case only': (folder) =>
    assert.deepEqual(readdirSync(folder).toSorted(), ['README', 'ReadMe', 'readme']),
  'strange characters': (folder) => assert.equal(readdirSync(folder).length, 7),
  'links inside': (folder) => assert.ok(lstatSync(join(folder, 'a/up')).isSymbolicLink()),
  'archives in it': (folder) => assert.deepEqual(readdirSync(folder).toSorted(), ['in.gz', 'in.tar']),
  'long name in PAX': (folder) => assert.ok(filesIn(folder).some((path) => path.endsWith('/file'))),
  'sparse file of the newest form': (folder) => assert.equal(lstatSync(join(folder, 's')).size, 1 << 20),
}

/** packages/archives tests the inspection of each, and what unpacks them. */
const accepted = honestArchives.filter((one) => one.name in expectations || sampled(honestArchives, 6).includes(one))

for (const [index, { name, fileName = 'package.tar', format = 'tar', build }] of accepted.entries())
  test(`accepts ${name}`, async () => {
    const bytes = build()
    const url = source.serve(`g${index}/${fileName}`, bytes)
    const done = await fixture.upload({ url, installPath: join(inside, 'p') })
    assert.equal(done.status, 200, done.text)
    const { uuid, md5sum, size, unzipInstallPath } = recordIn(done)
    assert.deepEqual([md5sum, size], [hash('md5', bytes, 'hex'), bytes.length])
    assert.equal(unzipInstallPath, format === 'file' ? null : `${join(inside, 'p')}_${md5sum}`)
    for (const path of unzipInstallPath === null ? [] : filesIn(unzipInstallPath)) {
      const { mode, uid } = lstatSync(path)
      assert.equal(mode & 0o6000, 0, `${path} would run as another user`)
      assert.equal(uid, process.getuid?.(), `${path} belongs to a user that the archive names`)
    }
    expectations[name]?.(unzipInstallPath ?? '')
    assert.equal((await fixture.remove(uuid)).status, 200)
    assert.deepEqual(everything(), untouched)
  })
