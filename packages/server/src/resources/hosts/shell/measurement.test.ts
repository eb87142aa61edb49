import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { measurementScript, readMeasurement } from './measurement.ts'

const disk = 'disk=/dev/vda 1000 400 600 40% /'

test('reads load, processors, memory and both file systems', () => {
  const packagesDisk = 'packagesDisk=/dev/vdb 2000 500 1500 25% /srv/packages'
  const memory = ['memoryTotal=       16384 kB', 'memoryAvailable=    4096 kB']
  assert.deepEqual(readMeasurement([disk, packagesDisk, 'load1=0.52', 'processors=8', ...memory]), {
    disk: { totalCapacity: 1000 * 1024, availableCapacity: 600 * 1024 },
    packagesDisk: { totalCapacity: 2000 * 1024, availableCapacity: 1500 * 1024 },
    load1: 0.52,
    processors: 8,
    memory: { totalCapacity: 16_384 * 1024, availableCapacity: 4096 * 1024 },
  })
})

test('values that a system does not have are null', () => {
  const { disk: _, ...others } = readMeasurement([disk, 'packagesDisk=', 'processors=', 'memoryTotal= 1 kB']) ?? {}
  assert.deepEqual(others, { packagesDisk: null, load1: null, processors: null, memory: null })
})

test('without the root file system there is no measurement', () =>
  assert.equal(readMeasurement(['disk=', 'load1=1']), undefined))

for (const shell of ['dash', 'bash'])
  test(`the script measures this machine under ${shell}`, () => {
    const { stdout, stderr, status } = spawnSync(shell, ['-c', measurementScript, 'wharf', '/no/such folder'], {
      encoding: 'utf8',
    })
    assert.deepEqual({ stderr, status }, { stderr: '', status: 0 })
    const measured = readMeasurement(stdout.split('\n'))
    assert.deepEqual(measured?.packagesDisk?.totalCapacity, measured?.disk.totalCapacity)
    assert.ok((measured?.load1 ?? -1) >= 0 && (measured?.processors ?? 0) > 0)
    assert.ok((measured?.memory?.availableCapacity ?? 0) < (measured?.memory?.totalCapacity ?? 0))
  })
