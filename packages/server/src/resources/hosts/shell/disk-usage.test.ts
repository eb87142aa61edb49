import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUsage } from './disk-usage.ts'

const header = 'Filesystem     1024-blocks     Used Available Capacity Mounted on'

for (const [line, total, available] of [
  ['/dev/vda          264212084 25563724  81597340      24% /', 264_212_084, 81_597_340],
  ['tmpfs                  1024        0      1024       0% /tmp/small disk', 1024, 1024],
  ['//server/a share       2048     1024      1024      50% /mnt/a share 90%', 2048, 1024],
  ['/dev/sda1              1000     1010       -10     102% /full', 1000, 0],
  ['proc                      0        0         0       - /proc', 0, 0],
] as const)
  test(`reads ${line}`, () => {
    assert.deepEqual(readUsage([header, line]), { totalCapacity: total * 1024, availableCapacity: available * 1024 })
  })

for (const lines of [[], [header], ['df: /x: Input/output error'], ['no table at all']])
  test(`ignores ${JSON.stringify(lines)}`, () => assert.equal(readUsage(lines), undefined))
