import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { hostsNeedRoot, installable, reverseCleanup, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'
import type { HostDriver } from '../hosts/driver.ts'
import { publishUnpacked } from './hook-files.ts'
import { unpackTar } from './unpack-on-host.ts'

const { signal } = new AbortController()
/** EXT4_IOC_SHUTDOWN without flushing the journal: data that is not on the disk is lost, as at a power loss. */
const shutDown = `perl -e 'open(my $f, "<", "/srv/disk") or die $!; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die $!'`
const makeDisk = `set -e; truncate -s 64M /srv/image; mkfs.ext4 -q /srv/image; mkdir /srv/disk
mount -o loop /srv/image /srv/disk`

suite('after a power loss of the host', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let host: TestHost
  let driver: HostDriver
  let skipReason: string | undefined
  before(async () => {
    ;[host] = (await startHosts(cleanup, 1)) as [TestHost]
    driver = sshDriverOf(cleanup, host)
    skipReason = await host.exec(makeDisk).then(
      () => undefined,
      (error: unknown) => `no ext4 on a loop device can be mounted here: ${error}`,
    )
    cleanup.after(async () => void (await host.exec('umount /srv/disk || true')))
  })

  const losePower = (): Promise<string> =>
    host.exec(`set -e; ${shutDown}; umount /srv/disk; mount -o loop /srv/image /srv/disk`)

  test('a file that was written and not synced is lost', async (t) => {
    if (skipReason) return t.skip(skipReason)
    await host.exec('mkdir /srv/disk/unsynced; echo text >/srv/disk/unsynced/file')
    await losePower()
    assert.doesNotMatch(await host.exec('ls /srv/disk'), /unsynced/)
  })

  test('an unpacked package that was moved to its final name is complete', async (t) => {
    if (skipReason) return t.skip(skipReason)
    const bytes = installable({
      hooks: { install: 'echo installed' },
      more: [{ name: 'deep/er/data', data: 'x'.repeat(100_000) }],
    })
    const [part, path, unpacked] = ['/srv/disk/opt/new/p.part', '/srv/disk/opt/new/p', '/srv/disk/opt/new/p_unpacked']
    await driver.put(Readable.from([bytes]), part, { signal, size: bytes.length, linkPath: path, createFolders: true })
    await unpackTar(path, 'tar', { driver, folder: `${path}.unpacking`, signal })
    const size = '#!/bin/sh\nset -eu\necho installed\n'.length
    const target = { host: 'web-1', unpacked: `${path}.unpacking`, path: unpacked, part, topFolder: null }
    const [file] = await publishUnpacked(driver, target, [{ path: 'install.sh', size }], signal)
    await losePower()
    assert.equal(await host.exec(`wc -c <${path}`), `${bytes.length}\n`)
    assert.equal(await host.exec(`cksum <${unpacked}/install.sh`), `${file?.cksum} ${size}\n`)
    assert.equal(await host.exec(`wc -c <${unpacked}/deep/er/data`), '100000\n')
    assert.equal(await host.exec('ls /srv/disk/opt/new'), 'p\np_unpacked\n')
    const damaged = publishUnpacked(driver, target, [{ path: 'install.sh', size: 1 }], signal)
    await assert.rejects(damaged, {
      code: 'SoftwarePackage.1300',
      message: /^host web-1 unpacked install\.sh with .*its inspection found 1; check/,
    })
  })
})
