import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hostsNeedRoot, reverseCleanup, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'
import { fetchHostKey, fetchHostKeys } from './fetch-host-key.ts'
import { fingerprintOf } from './host-key.ts'

const { signal } = new AbortController()

const cleanup = reverseCleanup({ after })

let host: TestHost
before(async () => {
  ;[host] = (await startHosts(cleanup, 1)) as [TestHost]
})

test('the key to pin is the one that the host has', async () => {
  assert.deepEqual(await fetchHostKeys(host, { signal, configFile: 'none' }), [host.hostKey])
  assert.equal(await fetchHostKey(host, { signal, configFile: 'none' }), host.hostKey)
})

test('a given fingerprint may be that of any key of the host', { skip: hostsNeedRoot }, async (t) => {
  const again = reverseCleanup(t)
  const keys = ['/etc/ssh/wharf_rsa', '/etc/ssh/wharf_ecdsa']
  const [many] = (await startHosts(again, 1, { sshd: keys.map((key) => `HostKey ${key}`) })) as [TestHost]
  await many.exec(`ssh-keygen -q -t rsa -b 2048 -N '' -f ${keys[0]}; ssh-keygen -q -t ecdsa -N '' -f ${keys[1]}`)
  await many.reload()
  for (const file of [...keys, '/etc/ssh/wharf_host_key']) {
    const shown = (await many.exec(`ssh-keygen -l -f ${file}.pub`)).split(' ')[1] ?? ''
    const key = await fetchHostKey(many, { signal, configFile: 'none', fingerprint: shown })
    assert.equal(fingerprintOf(key), shown)
    await sshDriverOf(again, many, { hostKey: key }).ping({ signal })
  }
  const all = await fetchHostKeys(many, { signal, configFile: 'none' })
  assert.deepEqual(all.map((key) => key.split(' ')[0]).sort(), ['ecdsa-sha2-nistp256', 'ssh-ed25519', 'ssh-rsa'])
  const wrong = `SHA256:${'A'.repeat(43)}`
  await assert.rejects(fetchHostKey(many, { signal, configFile: 'none', fingerprint: wrong }), {
    code: 'HOST.1004',
    message: new RegExp(`${wrong}; it has (SHA256:\\S+, ){2}SHA256:`),
  })
})

test('a host that does not answer has no key to pin', async () => {
  await assert.rejects(fetchHostKey({ ...host, port: 1 }, { signal }), { code: 'HOST.1003', message: /refused/ })
  await assert.rejects(fetchHostKeys({ ...host, port: 1 }, { signal }), { code: 'HOST.1003', message: /refused/ })
  await assert.rejects(fetchHostKey({ ...host, address: '-oProxyCommand=id' }, { signal }), { code: 'SYS.1007' })
})
