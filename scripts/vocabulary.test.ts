import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bannedIn, findBannedWords } from './vocabulary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders that still contain replaced words, and how many. A number only decreases; a folder at zero is removed. */
const unfinished: Readonly<Record<string, number>> = {
  'CONTRIBUTING.md': 3,
  docs: 22,
  'packages/contract': 9,
  'packages/server/src/resources/backup-storage': 2,
  'packages/server/src/resources/candidate-hosts': 34,
  'packages/server/src/resources/hosts': 7,
  'packages/server/src/resources/management-nodes': 11,
  'packages/server/src/resources/tags': 4,
}

/** `packages/sdk`, `packages/server/src/jobs`, `packages/server/src/resources/hosts`, `docs`, `README.md` */
function folderOf(file: string): string {
  const parts = file.split('/')
  if (parts[0] !== 'packages') return parts[0] ?? ''
  if (parts[1] !== 'server') return parts.slice(0, 2).join('/')
  return parts.slice(0, parts[3] === 'resources' ? 5 : 4).join('/')
}

const names: readonly (readonly [name: string, banned: string | undefined])[] = [
  ['tellOfCalls', 'tell'],
  ['lookMs', 'look'],
  ['told-value', 'told'],
  ['WayBack', 'way'],
  ['PackageStarting', 'Starting'],
  ['ask_for_token', 'ask'],
  ['lookup', undefined],
  ['gatewayVm', undefined],
  ['standardError', undefined],
  ['taskQueue', undefined],
]
for (const [name, banned] of names)
  test(`${name} ${banned === undefined ? 'is allowed' : `contains ${banned}`}`, () => {
    assert.equal(bannedIn(name), banned)
  })

test('names and texts use the words of docs/glossary.md', () => {
  const byFolder = Map.groupBy(findBannedWords(root), ({ file }) => folderOf(file))
  for (const [folder, findings] of byFolder) {
    const list = findings.map(({ file, line, kind, excerpt }) => `${file}:${line} ${kind}: ${excerpt}`)
    assert.ok(list.length <= (unfinished[folder] ?? 0), `${folder} has replaced words:\n${list.join('\n')}`)
  }
})
