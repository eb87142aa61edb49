import assert from 'node:assert/strict'
import { type ChatReceiver, Client } from '@wharf/testkit'
import { busyLists, changesIn, listOf, quietLists, type Row } from './state.ts'
import { chats, type Write, type Writers } from './writers.ts'

interface Comparison {
  readonly source: Client
  readonly restored: Client
  readonly written: Writers
  /** The start of the backup. */
  readonly began: number
}

interface Kept {
  readonly isKept: (type: Write['type'], uuid: string) => boolean
  /** Writes that were acknowledged before the start of the backup, and those in it that were not. */
  readonly before: number
  readonly after: number
}

/** The restored state is one snapshot after the start of the backup: all writes before it, none after it, none partial. */
export async function checkState({ source, restored, written, began }: Comparison): Promise<Kept> {
  const count = await changesIn(restored)
  const isIn = ({ type, uuid, nth }: Write): boolean => count(type, uuid) >= nth
  const kept = written.writes.filter(isIn)
  const missing = written.writes.filter((write) => !isIn(write))
  const latest = Math.max(...kept.map((write) => write.began))
  for (const write of missing) {
    assert.ok(write.acknowledged > began, `lost, though acknowledged before the backup: ${JSON.stringify(write)}`)
    assert.ok(write.acknowledged > latest, `lost, though a later one is kept: ${JSON.stringify(write)}`)
  }
  assert.ok(missing.length > 0, 'writes continued during the backup')
  const rows = await sameRows(source, restored, written, count)
  for (const { uuid, endpointUuid } of rows.get(`${chats}/at-persons`)?.values() ?? [])
    assert.ok(rows.get(chats)?.has(String(endpointUuid)), `person ${uuid} has no endpoint`)
  let quietRows = 0
  for (const path of quietLists) {
    const list = await listOf(restored, path)
    assert.deepEqual(list, await listOf(source, path), path)
    quietRows += list.size
  }
  assert.ok(quietRows >= minQuietRows, 'the quiet records exist')
  const before = written.writes.filter(({ acknowledged }) => acknowledged < began).length
  assert.ok(before > 0)
  return { isKept: (type, uuid) => count(type, uuid) > 0, before, after: kept.length - before }
}

/** A record exists when its events imply it, and equals that of the source unless it changed there since. */
async function sameRows(
  source: Client,
  restored: Client,
  written: Writers,
  count: (type: string, uuid: string) => number,
): Promise<Map<string, Map<string, Row>>> {
  const touched = new Set(written.writes.map(({ uuid }) => uuid))
  const exists = (uuid: string): boolean => count('Created', uuid) > 0 && count('Deleted', uuid) === 0
  const lists = new Map<string, Map<string, Row>>()
  for (const path of busyLists) {
    const [restoredRows, sourceRows] = [await listOf(restored, path), await listOf(source, path)]
    lists.set(path, restoredRows)
    for (const [uuid, row] of restoredRows) {
      if (written.changed.includes(uuid)) checkVersion(row, count('Updated', uuid))
      // a tag that was deleted since is known by its event alone
      else if (sourceRows.has(uuid) || !touched.has(uuid))
        assert.deepEqual(row, sourceRows.get(uuid), `${path} ${uuid}`)
      if (touched.has(uuid)) assert.ok(exists(uuid), `${path} ${uuid} has no event`)
    }
    for (const uuid of sourceRows.keys())
      if (!touched.has(uuid) || exists(uuid)) assert.ok(restoredRows.has(uuid), `${path} ${uuid} is missing`)
  }
  return lists
}

/** Name and description are changed by one call. */
function checkVersion({ uuid, name, description }: Row, version: number): void {
  if (version > 0) assert.deepEqual([name, description], [`v${version}`, `v${version}`], `the changes of ${uuid}`)
}

/** Two accounts with their users, a tag, a plugin with its platform, an alert, its message and the jobs of all that. */
const minQuietRows = 10
const sampledSecrets = 20

/** What is sealed under the master key opens: the secrets of keys, answers that are kept, the address of a chat. */
export async function checkSecrets({
  restored,
  written,
  isKept,
  chat,
  receiver,
}: {
  readonly restored: Client
  readonly written: Writers
  readonly isKept: Kept['isKept']
  readonly chat: string
  readonly receiver: ChatReceiver
}): Promise<void> {
  const keys = written.keys.filter(({ uuid }) => isKept('Created', uuid)).slice(-sampledSecrets)
  assert.ok(keys.length > 0)
  for (const { id, secret } of keys) {
    const { status, text } = await new Client(restored.url, { kind: 'key', id, secret }).get('/v1/tags?limit=1')
    assert.equal(status, 200, text)
  }
  const tags = written.tags.filter(({ uuid }) => isKept('Created', uuid)).slice(-sampledSecrets)
  assert.ok(tags.length > 0)
  for (const { name, key, text } of tags) {
    const again = await restored.post('/v1/tags', { params: { name } }, { 'idempotency-key': key })
    assert.equal(again.text, text, 'a call that is repeated at the restored server has the old answer')
  }
  const before = receiver.requestsOf('hook').length
  const tested = await restored.post(`${chats}/${chat}/test`, { params: {} })
  assert.equal(tested.status, 200, tested.text)
  assert.equal(receiver.requestsOf('hook').length, before + 1)
}
