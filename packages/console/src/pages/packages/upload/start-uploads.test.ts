import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wharf } from '@wharf/sdk'
import { hostDestination, storageDestination } from './destination.ts'
import { startUploads, uploadFromUrl } from './start-uploads.ts'

const host = hostDestination({ uuid: 'h1', name: 'web-1', state: 'Enabled', status: 'Connected' })
const storage = storageDestination({ uuid: 's1', name: 'backup', state: 'Enabled', status: 'Connected' })

/** A server that records its calls; the host belongs to `nodeOfHost`. */
function fakeWharf(nodeOfHost: string | null = null) {
  const started: { operation: string; input: Record<string, unknown> }[] = []
  const wharf = {
    start: async ({ name }: { name: string }, input: Record<string, unknown>) => {
      started.push({ operation: name, input })
    },
    hosts: { one: async () => ({ managementNodeUuid: nodeOfHost }) },
    managementNodes: { query: async () => ({ inventories: [{ uuid: 'n2' }] }) },
  } as unknown as Wharf
  return { wharf, started }
}

function fakeQueue() {
  const added: { fileName: string; destination: object }[] = []
  const add = (_wharf: unknown, file: File, destination: object): string => {
    added.push({ fileName: file.name, destination })
    return String(added.length)
  }
  return { added, add }
}

const draft = (fileName: string, name: string) => ({ file: new File(['x'], fileName), name, type: 'demo' })

test('each file is added to the queue with its path on the host', () => {
  const queue = fakeQueue()
  const drafts = [draft('a b.tar', ' First '), draft('c.zip', 'Second')]
  startUploads(queue, fakeWharf().wharf, drafts, { destination: host, folder: '/opt/', userTags: ['x'] })
  assert.deepEqual(queue.added, [
    {
      fileName: 'a b.tar',
      destination: {
        name: 'First',
        type: 'demo',
        installPath: '/opt/a-b.tar',
        userTags: ['x'],
        hostUuid: 'h1',
      },
    },
    {
      fileName: 'c.zip',
      destination: { name: 'Second', type: 'demo', installPath: '/opt/c.zip', userTags: ['x'], hostUuid: 'h1' },
    },
  ])
})

test('a storage is named instead of a host', () => {
  const queue = fakeQueue()
  startUploads(queue, fakeWharf().wharf, [draft('a.tar', 'A')], { destination: storage, folder: '', userTags: [] })
  assert.deepEqual(queue.added[0]?.destination, {
    name: 'A',
    type: 'demo',
    installPath: 'a.tar',
    userTags: [],
    backupStorageUuid: 's1',
  })
})

const url = { url: 'https://example.com/a.tar', name: ' A ', type: 'demo', digest: '' }

test('a URL is downloaded by the node of a local host', async () => {
  const { wharf, started } = fakeWharf('n1')
  const uuid = await uploadFromUrl(wharf, url, { destination: host, folder: '/opt', userTags: [] })
  assert.match(uuid, /^[0-9a-f]{32}$/)
  assert.deepEqual(started, [
    {
      operation: 'UploadSoftwarePackage',
      input: {
        name: 'A',
        type: 'demo',
        url: url.url,
        installPath: '/opt/a.tar',
        systemTags: [],
        userTags: [],
        resourceUuid: uuid,
        hostUuid: 'h1',
        managementNodeUuid: 'n1',
      },
    },
  ])
})

test('a URL for a remote host is downloaded by any live node', async () => {
  const { wharf, started } = fakeWharf()
  await uploadFromUrl(wharf, url, { destination: host, folder: '/opt', userTags: [] })
  assert.equal(started[0]?.input.managementNodeUuid, 'n2')
})

test('a URL for backup storage needs no node', async () => {
  const { wharf, started } = fakeWharf()
  await uploadFromUrl(wharf, url, { destination: storage, folder: 'packages', userTags: [] })
  assert.equal(started[0]?.operation, 'UploadSoftwarePackageToBackupStorage')
  assert.equal(started[0]?.input.backupStorageUuid, 's1')
  assert.ok(!('managementNodeUuid' in (started[0]?.input ?? {})))
})

test('a checksum is sent as a system tag', async () => {
  const { wharf, started } = fakeWharf()
  const digest = 'd41d8cd98f00b204e9800998ecf8427e'
  await uploadFromUrl(wharf, { ...url, digest: ` ${digest} ` }, { destination: storage, folder: '', userTags: [] })
  assert.deepEqual(started[0]?.input.systemTags, [`uploadSoftwarePackage::${digest}`])
})

test('every upload has a uuid of its own', async () => {
  const { wharf } = fakeWharf()
  const target = { destination: storage, folder: '', userTags: [] }
  const uuids = await Promise.all(Array.from({ length: 20 }, () => uploadFromUrl(wharf, url, target)))
  assert.equal(new Set(uuids).size, 20)
})
