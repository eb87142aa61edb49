import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, suite, test } from 'node:test'
import {
  type Answer,
  assertFailure,
  gzipped,
  hostsNeedRoot,
  installable,
  KillablePackages,
  type PackageHost,
  type PackageRecord,
  recordIn,
  reverseCleanup,
  runProgram,
  zipped,
} from '@wharf/testkit'

const MiB = 1024 * 1024
/** Of the file systems that fill up. */
const room = 4 * MiB

/** Little data, but every file takes a page of its own: it seems to fit. */
const manyFiles = Array.from({ length: 2000 }, (_, index) => ({ name: `f${index}`, data: 'x' }))

const ofUnknownSize = (bytes: Buffer) => (response: ServerResponse) => {
  response.writeHead(200)
  response.end(bytes)
}

suite('when a disk is full', { skip: hostsNeedRoot }, () => {
  let fixture: KillablePackages
  const cleanup = reverseCleanup({ after })
  before(async () => {
    fixture = await KillablePackages.start(cleanup)
    for (const place of [fixture.local, fixture.remote])
      await mounting(place, `mkdir -p ${small(place)} && mount -t tmpfs -o size=${room} small ${small(place)}`)
  })

  /** On this machine mounts are made where only the server sees them, so they end with it. */
  const mounting = (place: PackageHost, text: string): Promise<string> =>
    place === fixture.local
      ? runProgram('nsenter', [`--target=${fixture.server.pid}`, '--mount', 'sh', '-c', text])
      : place.exec(text)
  const small = ({ folder }: PackageHost): string => `${folder}/small`
  const left = (place: PackageHost): Promise<string> => mounting(place, `ls -A ${small(place)}`)

  async function refusedForSpace(answer: Answer, place: PackageHost, path: string): Promise<void> {
    assertFailure(answer, { status: 507, code: 'SoftwarePackage.1121' })
    const { body } = await fixture.admin.get(`/v1/software-package?q=installPath=${path}`)
    assert.deepEqual(
      (body.inventories as PackageRecord[]).map(({ status }) => status),
      ['UploadFailed'],
    )
    assert.equal(await left(place), '')
    assert.deepEqual(fixture.spooled, [])
  }

  async function fits(place: PackageHost): Promise<void> {
    const url = fixture.source.serve('fits.tar', installable())
    const params = { url, hostUuid: place.hostUuid, installPath: `${small(place)}/fits.tar` }
    const { uuid } = recordIn(await fixture.upload(params))
    assert.equal((await fixture.install(uuid)).status, 200)
    assert.equal((await fixture.remove(uuid)).status, 200)
  }

  const large = randomBytes(2 * room)
  const cases = [
    { name: 'a file whose size is not known', served: ofUnknownSize(large), file: 'a/large.bin' },
    { name: 'an archive that seems to fit', served: installable({ more: manyFiles }), file: 'b/many.tar' },
    { name: 'the same, compressed', served: gzipped(installable({ more: manyFiles })), file: 'c/many.tar.gz' },
    {
      name: 'the same, as a zip',
      served: zipped(Object.fromEntries(manyFiles.map(({ name, data }) => [name, data]))),
      file: 'd/many.zip',
    },
    {
      name: 'a zip that fits, but not beside the tar that is made of it',
      served: zipped({ large: randomBytes(0.36 * room) }),
      file: 'e/third.zip',
    },
  ]
  for (const name of ['local', 'remote'] as const)
    suite(name === 'local' ? 'on this node' : 'on a host', () => {
      for (const { name: what, served, file } of cases)
        test(`${what} is refused and leaves nothing`, async () => {
          const place = fixture[name]
          const installPath = `${small(place)}/${file}`
          const url = fixture.source.serve(file, served)
          await refusedForSpace(
            await fixture.upload({ url, hostUuid: place.hostUuid, installPath }),
            place,
            installPath,
          )
        })

      test('what is known to be too large is refused before a byte of it has come', async () => {
        const place = fixture[name]
        const installPath = `${small(place)}/known.bin`
        // says its size, and then nothing
        const url = fixture.source.serve('known.bin', (response) => {
          response.writeHead(200, { 'content-length': room + 1 })
          response.flushHeaders()
        })
        await refusedForSpace(await fixture.upload({ url, hostUuid: place.hostUuid, installPath }), place, installPath)
      })

      test('afterwards everything works as before', () => fits(fixture[name]))
    })

  test('on this node, of a zip on its way: refused, nothing kept, and the server goes on', async () => {
    const data = `${fixture.server.environment.WHARF_DATA}/zips`
    await mounting(fixture.local, `mount -t tmpfs -o size=${MiB} small ${data}`)
    const bytes = zipped({ large: randomBytes(2 * MiB) })
    const url = fixture.source.serve('spooled.zip', ofUnknownSize(bytes))
    const { folder, hostUuid } = fixture.remote
    const installPath = `${folder}/spooled.zip`
    const upload = () => fixture.upload({ url, hostUuid, installPath })
    const refused = await upload()
    assertFailure(refused, { status: 507, code: 'SoftwarePackage.1121', details: 'management node' })
    assert.equal(await mounting(fixture.local, `ls -A ${data}`), '')
    assert.equal(await fixture.remote.exec(`find ${folder} -name 'spooled*'`), '')
    await mounting(fixture.local, `umount ${data}`)
    assert.equal((await upload()).status, 200)
  })
})
