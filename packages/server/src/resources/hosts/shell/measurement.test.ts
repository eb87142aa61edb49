import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('impossible numbers are null', () => {
  const huge = '9'.repeat(400)
  const values = ['load1=1000000', 'processors=100000', `memoryTotal= ${huge} kB`, 'memoryAvailable= 1 kB']
  const packagesDisk = `packagesDisk=/dev/vdb ${huge} 500 1500 25% /srv`
  const { disk: _, ...others } = readMeasurement([disk, packagesDisk, ...values]) ?? {}
  assert.deepEqual(others, { packagesDisk: null, load1: null, processors: null, memory: null })
  assert.equal(readMeasurement([`disk=/dev/vda 1000 400 ${huge} 40% /`]), undefined)
})

test('without a program that ends df, the file system of the packages is not measured', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-programs-'))
  for (const program of ['df', 'tail', 'getconf', 'sed', 'sh'])
    symlinkSync(
      spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim(),
      join(folder, program),
    )
  const { stdout } = spawnSync('/bin/sh', ['-c', measurementScript, 'wharf', '/'], {
    encoding: 'utf8',
    env: { PATH: folder },
  })
  rmSync(folder, { recursive: true })
  const measured = readMeasurement(stdout.split('\n'))
  assert.ok((measured?.disk.totalCapacity ?? 0) > 0, stdout)
  assert.equal(measured?.packagesDisk, null)
})

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
