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
const ofAdopted = ofTar.filter((point) => !point.includes('whole file'))
const every = (step: number, first: number, list: readonly UploadKillPoint[]) =>
  list.filter((_, index) => index % step === first)

const rows: [KilledUploadCase['form'], KilledUploadCase['place'], readonly KilledUploadCase['at'][]][] = [
  ['tar.gz', 'there', [...ofTar, 0, 0.5]],
  ['tar.gz', 'here', [...every(4, 0, ofTar), 0.5]],
  ['zip', 'there', [...every(4, 3, points), 0.5]],
  ['zip', 'here', [...every(2, 1, points), 0, 0.5]],
  ['slices', 'there', every(3, 2, ofTar)],
  ['slices', 'here', every(4, 0, ofAdopted)],
]
const cases = sampled(rows.flatMap(([form, place, ats]) => ats.map((at): KilledUploadCase => ({ form, place, at }))))
const both = ['here', 'there'] as const
const places = { here: 'this node', there: 'a host' }

const nameOf = ({ form, place, at }: KilledUploadCase): string =>
  `${form} to ${places[place]}, killed in ${typeof at === 'number' ? `transfer: at ${100 * at} % of the bytes` : at}`

const actionRows: Omit<KilledActionCase, 'place'>[] = [
  { action: 'install', from: 'host', when: 'before', words: ['./install.sh'] },
  { action: 'install', from: 'host', when: 'after', words: ['./install.sh'] },
  { action: 'install', from: 'host', when: 'before', words: ['./verify.sh'] },
  { action: 'install', from: 'host', when: 'after', words: ['./verify.sh'] },
  { action: 'install', from: 'storage', when: 'after', words: ['mkdir -p'] },
  { action: 'install', from: 'storage', when: 'before', words: ['/usr/bin/link'] },
  { action: 'install', from: 'storage', when: 'after', words: ['tar --extract'] },
  { action: 'install', from: 'storage', when: 'after', words: ['rm -rf "$1"', '/package'] },
  { action: 'install', from: 'storage', when: 'after', words: ['./install.sh'] },
  { action: 'uninstall', from: 'host', when: 'before', words: ['./uninstall.sh'] },
  { action: 'uninstall', from: 'host', when: 'after', words: ['./uninstall.sh'] },
  { action: 'uninstall', from: 'storage', when: 'after', words: ['rm -rf "$1"'] },
  { action: 'delete', from: 'host', when: 'before', words: ['rm -rf "$1"'] },
  { action: 'delete', from: 'host', when: 'after', words: ['rm -rf "$1"'] },
]
/** Each on the host, and every third on this node too. */
const actions = actionRows.flatMap((row, index): KilledActionCase[] =>
  index % 3 === 0 ? both.map((place) => ({ ...row, place })) : [{ ...row, place: 'there' }],
)

suite('after kill -9 of the server', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let world: KillablePackages
  before(async () => {
    world = await KillablePackages.start(cleanup)
  })

  const begin = (ones: readonly KilledUploadCase[]) =>
    Promise.all(ones.map(async (one) => ({ name: nameOf(one), upload: await KilledUpload.begin(world, one) })))

  test('uploads end well, once, with nothing left over', async (t) => {
    const uploads = await begin(cases)
    for (const { upload } of uploads) upload.source.goOn()
    await world.killAndStart()
    for (const { name, upload } of uploads) await t.test(name, () => upload.isThereOnce())
    assert.deepEqual(world.spooled, [])
  })

  test('what was being done to packages is done, once', async (t) => {
    const begun = await Promise.all(
      sampled(actions).map(async (one) => ({ ...one, done: await KilledAction.begin(world, one) })),
    )
    await world.killAndStart()
    for (const { action, from, place, when, words, done } of begun)
      await t.test(`${action} on ${places[place]}, from ${from}, ${when} ${words.join(' ')}`, () => done.isDoneOnce())
    assert.deepEqual(world.spooled, [])
  })

  test('an upload whose source breaks off afterwards leaves nothing, not even the folders made for it', async (t) => {
    const forms = ['tar.gz', 'zip'] as const
    const uploads = await begin(forms.flatMap((form) => both.map((place) => ({ form, place, at: 0.5 }))))
    for (const { upload } of uploads) upload.source.cut()
    await world.killAndStart()
    for (const { name, upload } of uploads) await t.test(name, () => upload.hasFailed('SYS.1015'))
    assert.deepEqual(world.spooled, [])
  })

  test('a way back that was under way is gone to its end', async (t) => {
    const at = 'place: after the folder is moved'
    const undone = sampled(
      // in turns, so that every sample has both
      Object.entries(uploadUndoPoints).flatMap(([name, words], index) =>
        (index % 2 === 0 ? both : both.toReversed()).map((place) => {
          return { name: `${name} on ${places[place]}`, words, place }
        }),
      ),
    )
    const uploads = await Promise.all(
      undone.map(async ({ place, ...rest }) => {
        return { ...rest, upload: await KilledUpload.begin(world, { form: 'tar.gz', place, at }) }
      }),
    )
    await world.allHeld()
    for (const { words, upload } of uploads) await upload.cancelAndHold(words)
    await world.killAndStart()
    for (const { name, upload } of uploads) await t.test(name, () => upload.hasFailed('SYS.1017'))
    assert.deepEqual(world.spooled, [])
  })

  test('an upload to backup storage begins anew and leaves one file, or none when its digest is another', async () => {
    const bytes = installable()
    const digests = { 'a.tar': hash('sha256', bytes), 'b.tar': 'f'.repeat(64) }
    const uploads = await Promise.all(
      Object.entries(digests).map(async ([name, sha256]) => {
        const source = new StallingBytes(bytes, 2000)
        const params = {
          url: world.source.serve(name, source.serve),
          installPath: `/killed/${name}`,
          systemTags: [`uploadSoftwarePackage::${sha256}`],
        }
        const begun = await world.toStorage(params, { prefer: 'respond-async' })
        assert.equal(begun.status, 202, begun.text)
        const { body } = await world.admin.get(`/v1/software-package?q=installPath=killed/${name}`)
        const [{ uuid } = { uuid: '' }] = body.inventories as { uuid: string }[]
        for (let turns = 0; !world.source.asked.includes(`/${name}`) && turns < 500; turns++) await delay(20)
        source.goOn()
        return uuid
      }),
    )
    await world.killAndStart()
    const [good, bad] = await Promise.all(
      uploads.map((uuid) => world.until(uuid, ({ status }) => status !== 'Uploading')),
    )
    assert.deepEqual([good?.status, good?.size], ['Uploaded', bytes.length], await world.logOf(uploads[0] ?? ''))
    assert.deepEqual([bad?.status, bad?.size], ['UploadFailed', 0], await world.logOf(uploads[1] ?? ''))
    assert.deepEqual(await world.stored('killed'), ['a.tar'])
  })

  test('what a host still does for the killed server does not get in the way of the next', async (t) => {
    const uploads = await begin([
      ...both.map((place) => ({ form: 'tar.gz', place, at: 'transfer: before the whole file has a name' }) as const),
      ...both.map((place) => ({ form: 'zip', place, at: 'unpack: before the zip is there as a tar' }) as const),
    ])
    await world.allHeld()
    await world.server.kill()
    await world.server.start()
    // both are about to give the file its name, the one of the killed server first
    await delay(2000)
    await world.release()
    for (const { name, upload } of uploads) await t.test(name, () => upload.isThereOnce())
    assert.deepEqual(world.spooled, [])
  })
})
