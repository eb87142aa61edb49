import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  hostsNeedRoot,
  installable,
  KillablePackages,
  KilledAction,
  type KilledActionCase,
  KilledUpload,
  type KilledUploadCase,
  reverseCleanup,
  StallingBytes,
  sampled,
  type UploadKillPoint,
  uploadKillPoints,
  uploadUndoPoints,
} from '@wharf/testkit'

const points = Object.keys(uploadKillPoints) as UploadKillPoint[]
const ofTar = points.filter((point) => !point.includes('zip'))
/** On this node slices become the file without being copied. */
const ofAdopted = ofTar.filter((point) => !point.includes('file'))
const every = (step: number, first: number, list: readonly UploadKillPoint[]) =>
  list.filter((_, index) => index % step === first)

const rows: [KilledUploadCase['form'], KilledUploadCase['host'], readonly KilledUploadCase['at'][]][] = [
  ['tar.gz', 'remote', [...ofTar, 0, 0.5]],
  ['tar.gz', 'local', [...every(4, 0, ofTar), 0.5]],
  ['zip', 'remote', [...every(4, 3, points), 0.5]],
  ['zip', 'local', [...every(2, 1, points), 0, 0.5]],
  ['slices', 'remote', every(3, 2, ofTar)],
  ['slices', 'local', every(4, 0, ofAdopted)],
]
const cases = sampled(
  rows.flatMap(([form, host, ats]) => ats.map((at): KilledUploadCase => ({ form, host, at }))),
  7,
)
const both = ['local', 'remote'] as const
const hostNames = { local: 'this node', remote: 'a host' }

const nameOf = ({ form, host, at }: KilledUploadCase): string =>
  `${form} to ${hostNames[host]}, killed in ${typeof at === 'number' ? `transfer: at ${100 * at}% of the bytes` : at}`

const actionRows: Omit<KilledActionCase, 'host'>[] = [
  { action: 'install', from: 'host', when: 'before', patterns: ['./install.sh'] },
  { action: 'install', from: 'host', when: 'after', patterns: ['./install.sh'] },
  { action: 'install', from: 'host', when: 'before', patterns: ['./verify.sh'] },
  { action: 'install', from: 'host', when: 'after', patterns: ['./verify.sh'] },
  { action: 'install', from: 'storage', when: 'after', patterns: ['mkdir -p'] },
  { action: 'install', from: 'storage', when: 'before', patterns: ['/usr/bin/link'] },
  { action: 'install', from: 'storage', when: 'after', patterns: ['tar --extract'] },
  { action: 'install', from: 'storage', when: 'after', patterns: ['rm -rf "$1"', '/package'] },
  { action: 'install', from: 'storage', when: 'after', patterns: ['./install.sh'] },
  { action: 'uninstall', from: 'host', when: 'before', patterns: ['./uninstall.sh'] },
  { action: 'uninstall', from: 'host', when: 'after', patterns: ['./uninstall.sh'] },
  { action: 'uninstall', from: 'storage', when: 'after', patterns: ['rm -rf "$1"'] },
  { action: 'delete', from: 'host', when: 'before', patterns: ['rm -rf "$1"'] },
  { action: 'delete', from: 'host', when: 'after', patterns: ['rm -rf "$1"'] },
]
/** Each on the host, and every third on this node too. */
const actions = actionRows.flatMap((row, index): KilledActionCase[] =>
  index % 3 === 0 ? both.map((host) => ({ ...row, host })) : [{ ...row, host: 'remote' }],
)

suite('after kill -9 of the server', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let fixture: KillablePackages
  before(async () => {
    fixture = await KillablePackages.start(cleanup)
  })

  const startUploads = (ones: readonly KilledUploadCase[]) =>
    Promise.all(ones.map(async (one) => ({ name: nameOf(one), upload: await KilledUpload.start(fixture, one) })))

  test('uploads succeed once and leave nothing behind', async (t) => {
    const uploads = await startUploads(cases)
    for (const { upload } of uploads) upload.source.resume()
    await fixture.killAndStart()
    for (const { name, upload } of uploads) await t.test(name, () => upload.assertStoredOnce())
    assert.deepEqual(fixture.spooled, [])
  })

  test('actions on packages are completed once', async (t) => {
    const started = await Promise.all(
      sampled(actions, 5).map(async (one) => ({ ...one, done: await KilledAction.start(fixture, one) })),
    )
    await fixture.killAndStart()
    for (const { action, from, host, when, patterns, done } of started)
      await t.test(`${action} on ${hostNames[host]}, from ${from}, ${when} ${patterns.join(' ')}`, () =>
        done.assertDoneOnce(),
      )
    assert.deepEqual(fixture.spooled, [])
  })

  test('an upload whose source breaks afterwards leaves nothing, not even the folders created for it', async (t) => {
    const forms = ['tar.gz', 'zip'] as const
    const uploads = await startUploads(sampled(forms.flatMap((form) => both.map((host) => ({ form, host, at: 0.5 })))))
    for (const { upload } of uploads) upload.source.cut()
    await fixture.killAndStart()
    for (const { name, upload } of uploads) await t.test(name, () => upload.assertFailed('SYS.1015'))
    assert.deepEqual(fixture.spooled, [])
  })

  test('an undo that was running is completed', async (t) => {
    const at = 'place: after the folder is moved'
    const undone = sampled(
      // alternating, so that every sample has both hosts
      Object.entries(uploadUndoPoints).flatMap(([name, words], index) =>
        (index % 2 === 0 ? both : both.toReversed()).map((host) => {
          return { name: `${name} on ${hostNames[host]}`, words, host }
        }),
      ),
    )
    const uploads = await Promise.all(
      undone.map(async ({ host, ...rest }) => {
        return { ...rest, upload: await KilledUpload.start(fixture, { form: 'tar.gz', host, at }) }
      }),
    )
    await fixture.waitForBreakpoints()
    for (const { words, upload } of uploads) await upload.cancelAndHold(words)
    await fixture.killAndStart()
    for (const { name, upload } of uploads) await t.test(name, () => upload.assertFailed('SYS.1017'))
    assert.deepEqual(fixture.spooled, [])
  })

  test('an upload to backup storage starts again and leaves one file, or none when its digest differs', async () => {
    const bytes = installable()
    const digests = { 'a.tar': hash('sha256', bytes), 'b.tar': 'f'.repeat(64) }
    const uploads = await Promise.all(
      Object.entries(digests).map(async ([name, sha256]) => {
        const source = new StallingBytes(bytes, 2000)
        const params = {
          url: fixture.source.serve(name, source.serve),
          installPath: `/killed/${name}`,
          systemTags: [`uploadSoftwarePackage::${sha256}`],
        }
        const started = await fixture.toStorage(params, { prefer: 'respond-async' })
        assert.equal(started.status, 202, started.text)
        const { body } = await fixture.admin.get(`/v1/software-package?q=installPath=killed/${name}`)
        const [{ uuid } = { uuid: '' }] = body.inventories as { uuid: string }[]
        for (let attempts = 0; !fixture.source.requestedPaths.includes(`/${name}`) && attempts < 500; attempts++)
          await delay(20)
        source.resume()
        return uuid
      }),
    )
    await fixture.killAndStart()
    const [good, bad] = await Promise.all(
      uploads.map((uuid) => fixture.waitUntil(uuid, ({ status }) => status !== 'Uploading')),
    )
    assert.deepEqual([good?.status, good?.size], ['Uploaded', bytes.length], await fixture.logOf(uploads[0] ?? ''))
    assert.deepEqual([bad?.status, bad?.size], ['UploadFailed', 0], await fixture.logOf(uploads[1] ?? ''))
    assert.deepEqual(await fixture.stored('killed'), ['a.tar'])
  })

  test('programs that still run on a host for the killed server do not disturb the next one', async (t) => {
    const running = [
      ...both.map((host) => ({ form: 'tar.gz', host, at: 'transfer: before the complete file is renamed' }) as const),
      ...both.map((host) => ({ form: 'zip', host, at: 'unpack: before the zip is converted to a tar' }) as const),
    ]
    const uploads = await startUploads(sampled(running))
    await fixture.waitForBreakpoints()
    await fixture.server.kill()
    await fixture.server.start()
    // both are about to link the file, the program of the killed server first
    await delay(2000)
    fixture.release()
    for (const { name, upload } of uploads) await t.test(name, () => upload.assertStoredOnce())
    assert.deepEqual(fixture.spooled, [])
  })
})
