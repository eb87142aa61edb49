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
/** The size of the file systems that fill up. */
const diskBytes = 4 * MiB

/** Little data, but every file occupies a page of its own: it seems to fit. */
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
      await runInMounts(place, `mkdir -p ${small(place)} && mount -t tmpfs -o size=${diskBytes} small ${small(place)}`)
  })

  /** On this machine mounts are visible only to the server, so they end with it. */
  const runInMounts = (place: PackageHost, text: string): Promise<string> =>
    place === fixture.local
      ? runProgram('nsenter', [`--target=${fixture.server.pid}`, '--mount', 'sh', '-c', text])
      : place.exec(text)
  const small = ({ folder }: PackageHost): string => `${folder}/small`
  const listSmall = (place: PackageHost): Promise<string> => runInMounts(place, `ls -A ${small(place)}`)

  async function assertRefusedForSpace(answer: Answer, place: PackageHost, path: string): Promise<void> {
    assertFailure(answer, { status: 507, code: 'SoftwarePackage.1121' })
    const { body } = await fixture.admin.get(`/v1/software-package?q=installPath=${path}`)
    assert.deepEqual(
      (body.inventories as PackageRecord[]).map(({ status }) => status),
      ['UploadFailed'],
    )
    assert.equal(await listSmall(place), '')
    assert.deepEqual(fixture.spooled, [])
  }

  async function assertUploadWorks(place: PackageHost): Promise<void> {
    const url = fixture.source.serve('fits.tar', installable())
    const params = { url, hostUuid: place.hostUuid, installPath: `${small(place)}/fits.tar` }
    const { uuid } = recordIn(await fixture.upload(params))
    assert.equal((await fixture.install(uuid)).status, 200)
    assert.equal((await fixture.remove(uuid)).status, 200)
  }

  const large = randomBytes(2 * diskBytes)
  const cases = [
    { name: 'a file of unknown size', served: ofUnknownSize(large), file: 'a/large.bin' },
    { name: 'an archive that seems to fit', served: installable({ more: manyFiles }), file: 'b/many.tar' },
    {
      name: 'a compressed archive that seems to fit',
      served: gzipped(installable({ more: manyFiles })),
      file: 'c/many.tar.gz',
    },
    {
      name: 'a zip that seems to fit',
      served: zipped(Object.fromEntries(manyFiles.map(({ name, data }) => [name, data]))),
      file: 'd/many.zip',
    },
    {
      name: 'a zip that fits, but not together with its tar',
      served: zipped({ large: randomBytes(0.36 * diskBytes) }),
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
          await assertRefusedForSpace(
            await fixture.upload({ url, hostUuid: place.hostUuid, installPath }),
            place,
            installPath,
          )
        })

      test('a package whose announced size is too large is refused before its first byte', async () => {
        const place = fixture[name]
        const installPath = `${small(place)}/known.bin`
        // announces its size and sends nothing
        const url = fixture.source.serve('known.bin', (response) => {
          response.writeHead(200, { 'content-length': diskBytes + 1 })
          response.flushHeaders()
        })
        await assertRefusedForSpace(
          await fixture.upload({ url, hostUuid: place.hostUuid, installPath }),
          place,
          installPath,
        )
      })

      test('an upload works again afterwards', () => assertUploadWorks(fixture[name]))
    })

  test('a zip that does not fit on this node is refused, nothing of it stays, and the server keeps working', async () => {
    const data = `${fixture.server.environment.WHARF_DATA}/zips`
    await runInMounts(fixture.local, `mount -t tmpfs -o size=${MiB} small ${data}`)
    const bytes = zipped({ large: randomBytes(2 * MiB) })
    const url = fixture.source.serve('spooled.zip', ofUnknownSize(bytes))
    const { folder, hostUuid } = fixture.remote
    const installPath = `${folder}/spooled.zip`
    const upload = () => fixture.upload({ url, hostUuid, installPath })
    const refused = await upload()
    assertFailure(refused, { status: 507, code: 'SoftwarePackage.1121', details: 'management node' })
    assert.equal(await runInMounts(fixture.local, `ls -A ${data}`), '')
    assert.equal(await fixture.remote.exec(`find ${folder} -name 'spooled*'`), '')
    await runInMounts(fixture.local, `umount ${data}`)
    assert.equal((await upload()).status, 200)
  })
})
