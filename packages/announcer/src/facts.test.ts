import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readFacts } from './facts.ts'

const machineId = '0123456789abcdef0123456789abcdef'

function machine(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'wharf-facts-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const routes = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth1	00000000	0100000A	0003	0	0	200	00000000	0	0	0
eth0	00000000	0100000A	0003	0	0	100	00000000	0	0	0
eth2	0000000A	00000000	0001	0	0	0	00FFFFFF	0	0	0
`
const zeros = '0'.repeat(32)
const ipv6Routes = `fd000000000000000000000000000000 40 ${zeros} 00 ${zeros} 00000100 00000001 00000000 00000001 eth2
${zeros} 00 ${zeros} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 bond0
${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200 lo
`

test('reads DMI, the machine id and the default routes', (t) => {
  const root = machine(t, {
    'sys/class/dmi/id/product_serial': 'SN-1\n',
    'sys/class/dmi/id/sys_vendor': 'Dell Inc.\n',
    'sys/class/dmi/id/product_name': 'PowerEdge R750\n',
    'etc/machine-id': `${machineId}\n`,
    'proc/net/route': routes,
    'proc/net/ipv6_route': ipv6Routes,
  })
  const { id, ...facts } = readFacts({ root })
  assert.deepEqual(facts, {
    hostName: hostname(),
    sn: 'SN-1',
    manufacturer: 'Dell Inc.',
    product: 'PowerEdge R750',
    ipv4Interface: 'eth0',
    ipv6Interface: 'bond0',
  })
  assert.match(id ?? '', /^[0-9a-f]{32}$/)
  assert.notEqual(id, machineId, 'the machine id is confidential')
  assert.equal(readFacts({ root }).id, id)
})

test('reads model and serial number from the device tree', (t) => {
  const root = machine(t, {
    'proc/device-tree/model': 'Raspberry Pi 4\0',
    'proc/device-tree/serial-number': '10000000abcd\0',
  })
  const { sn, product } = readFacts({ root })
  assert.deepEqual([sn, product], ['10000000abcd', 'Raspberry Pi 4'])
})

test('leaves unknown values undefined and applies overrides', (t) => {
  const root = machine(t, {})
  const unknown = readFacts({ root })
  assert.deepEqual([unknown.sn, unknown.manufacturer, unknown.product, unknown.ipv4Interface], Array(4).fill(undefined))
  const overrides = { sn: 'X', manufacturer: undefined, hostName: 'web' }
  const facts = readFacts({ root, overrides })
  assert.deepEqual([facts.sn, facts.manufacturer, facts.hostName], ['X', undefined, 'web'])
})
