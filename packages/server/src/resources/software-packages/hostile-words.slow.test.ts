import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import {
  assertFailure,
  hostileNames,
  hostileWords,
  installable,
  PackageFixture,
  recordIn,
  reverseCleanup,
  sampled,
} from '@wharf/testkit'
import { file, pax, tarOf, tarPart } from '@wharf/testkit/packages/archives.ts'

/** Words with a meaning for shells, option parsers or encodings, sent through ssh to a real host. */

const cleanup = reverseCleanup({ after })
const fixture = await PackageFixture.start(cleanup)
const { source } = fixture
const [host] = await fixture.addHosts(cleanup)
if (host === undefined) throw new Error('no host was started')
const { machine, uuid: hostUuid } = host
const folder = (await machine.exec('mktemp -d /var/tmp/wharf-words-XXXXXX')).trim()
cleanup.after(async () => void (await machine.exec(`rm -rf ${folder}`)))
/** The file that every hostile word would create, on the node or the host, if a shell evaluated it. */
const canary = '/tmp/wharf-hostile'

const noCanary = async (): Promise<void> => {
  assert.equal(await machine.exec(`test ! -e ${canary} && ls -A ${folder}`), '')
  assert.ok(!existsSync(canary))
}

test('at least 100 words are hostile', () => assert.ok(hostileWords.length >= 100))

test('configurations reach the hook byte for byte', async () => {
  // fails each time, so that it can be installed again
  const hooks = { install: `cat >"${folder}/input"; exit 1`, uninstall: ':' }
  const installPath = `${folder}/-rf/--help/-n.tar`
  const uploaded = await fixture.upload({ hostUuid, url: source.serve('c.tar', installable({ hooks })), installPath })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid } = recordIn(uploaded)
  const sent: unknown[] = [
    ...sampled(
      hostileWords.filter((word) => word !== ''),
      // the last one contains all words
      40,
    ),
    { words: hostileWords, byWord: Object.fromEntries(hostileWords.map((word, index) => [word, index])) },
  ]
  for (const config of sent) {
    const answer = await fixture.install(uuid, config)
    assert.equal(answer.body.error?.code, 'SoftwarePackage.1300', answer.text)
    const arrived = await machine.exec(`cat ${folder}/input; rm ${folder}/input`)
    assert.equal(arrived, JSON.stringify({ config }))
  }
  assert.equal((await fixture.remove(uuid)).status, 200)
  await machine.exec(`rmdir ${folder}/-rf/--help ${folder}/-rf`)
  await noCanary()
})

/** A name that is too long for the header is in a PAX header before it. */
const entry = (name: string, data: string): Buffer =>
  Buffer.byteLength(name) <= 100
    ? tarPart(file(name, data))
    : tarPart(pax([['path', name]]), file(name.slice(0, 20), data))

test('names in an archive are unpacked as they are, and removed', async () => {
  const names = hostileNames.flatMap((name) => [name, `-folder/${name}/-x`])
  const url = source.serve('n.tar', tarOf(...names.map((name) => entry(`all/${name}`, name))))
  const uploaded = await fixture.upload({ hostUuid, url, installPath: `${folder}/-p.tar` })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid, unzipInstallPath } = recordIn(uploaded)
  const list = await machine.exec(`cd ${unzipInstallPath}/all && find . -type f -print0`)
  const found = list.split('\0').slice(0, -1)
  assert.deepEqual(found.toSorted(), names.map((name) => `./${name}`).toSorted())
  assert.equal((await fixture.remove(uuid)).status, 200)
  await noCanary()
})

test('names of packages, their sources, their files and their paths are used unchanged', async () => {
  const waiting = [...sampled(hostileWords, 10).entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await roundTrip(...next)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  await machine.exec(`cd ${folder} && find . -mindepth 1 -depth -type d -exec rmdir -- {} +`)
  await noCanary()
})

const isPlainText = (word: string): boolean => !/\p{Cc}/u.test(word) && word.trim() !== '' && word.length <= 255

async function roundTrip(index: number, word: string): Promise<void> {
  const inArchive = hostileNames.includes(word) ? word : '-'
  const fileName = isPlainText(word) ? `x${word}` : 'x'
  const served = source.serve(`${index}/${fileName}`, tarOf(entry(inArchive, 'x'), file('-rf'), file('--')))
  const url = served.slice(0, -fileName.length) + encodeURIComponent(fileName)
  const installPath = `${folder}/-w${index}/--/-rf`
  const answer = await fixture.upload({ hostUuid, name: word, url, installPath })
  if (!isPlainText(word)) return assertFailure(answer, { status: 400, code: 'SYS.1007', details: 'name' })
  assert.equal(answer.status, 200, `${JSON.stringify(word)}: ${answer.text}`)
  const { uuid, name, unzipInstallPath } = recordIn(answer)
  assert.equal(name, word.trim())
  const list = await machine.exec(`cd ${unzipInstallPath} && find . -type f -print0`)
  assert.deepEqual(
    list.split('\0').slice(0, -1).toSorted(),
    [...new Set([`./${inArchive}`, './-rf', './--'])].toSorted(),
  )
  assert.equal((await fixture.remove(uuid)).status, 200)
  assert.equal(await machine.exec(`ls -A ${folder}/-w${index}/--`), '')
}
