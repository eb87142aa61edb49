import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, EventRecorder } from '@wharf/testkit'
import { chats } from './writers.ts'

export type Row = Readonly<Record<string, unknown>> & { readonly uuid: string }

/** What is written while the backup is made, and what is not. */
export const busyLists = ['/v1/tags', '/v1/accesskeys', chats, `${chats}/at-persons`] as const
export const quietLists = [
  '/v1/accounts',
  '/v1/users',
  '/v1/system-tags',
  '/v1/user-tags',
  '/v1/software-package',
  '/v1/cluster-plugin',
  '/v1/zwatch/third-party/platforms',
  '/v1/zwatch/third-party/alerts',
  '/v1/sns/deliveries',
  '/v1/api-jobs',
] as const

const pageSize = 5000
const maxEventsMs = 60_000

/** A whole collection, as the API returns it. */
export async function listOf(client: Client, path: string): Promise<Map<string, Row>> {
  const found = new Map<string, Row>()
  for (;;) {
    const { status, text, body } = await client.get(`${path}?sort=uuid&limit=${pageSize}&start=${found.size}`)
    assert.equal(status, 200, text)
    const page = body.inventories as Row[]
    for (const row of page) found.set(row.uuid, row)
    if (page.length < pageSize) return found
  }
}

/** How often each change of each record was published, from the first event that is kept. */
export async function changesIn(client: Client): Promise<(type: string, uuid: string) => number> {
  const recorder = await EventRecorder.open(client, '/v1/events', { 'last-event-id': '0' })
  try {
    // events arrive in order: once this one arrives, all earlier ones have arrived
    const made = await client.post('/v1/tags', { params: { name: 'the end of the recording' } })
    const { uuid: end } = made.body.inventory as { uuid: string }
    const hasArrived = (): boolean => recorder.events.some(({ data }) => data.includes(end))
    for (const began = performance.now(); !hasArrived(); await delay(20))
      assert.ok(
        performance.now() - began < maxEventsMs,
        `${recorder.events.length} events arrived, but not the last one`,
      )
    assert.equal((await client.delete(`/v1/tags/${end}`)).status, 200)
  } finally {
    recorder.stop()
  }
  const counts = new Map<string, number>()
  for (const change of recorder.changes) {
    const [type, , uuid] = change.split(' ')
    const key = `${type} ${uuid}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return (type, uuid) => counts.get(`${type} ${uuid}`) ?? 0
}
