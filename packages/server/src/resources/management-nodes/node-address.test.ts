import assert from 'node:assert/strict'
import { test } from 'node:test'
import { externalAddress } from '@wharf/platform/server-address.ts'
import { nodeAddress } from './node-address.ts'

const outward = externalAddress().replace(/^(.*:.*)$/, '[$1]')
const rows: { name: string; host: string; nodeUrl?: string; listensAt: string; url: string }[] = [
  {
    name: 'where it listens',
    host: '10.0.0.5',
    listensAt: 'http://10.0.0.5:80/wharf',
    url: 'http://10.0.0.5:80/wharf',
  },
  {
    name: 'as configured',
    host: '::',
    nodeUrl: 'https://a:1',
    listensAt: 'https://[::1]:2/wharf',
    url: 'https://a:1/wharf',
  },
  {
    name: 'not at loopback, when it listens everywhere',
    host: '0.0.0.0',
    listensAt: 'http://127.0.0.1:8080/wharf',
    url: `http://${outward}:8080/wharf`,
  },
]
for (const { name, listensAt, url, ...settings } of rows)
  test(name, () => assert.equal(nodeAddress({ ...settings, basePath: '/wharf' }, listensAt), url))

test('without a prefix there is no slash at the end', () => {
  assert.equal(nodeAddress({ host: '0.0.0.0', basePath: '' }, 'http://127.0.0.1:8080'), `http://${outward}:8080`)
})
