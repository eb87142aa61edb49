import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Secret } from '@wharf/platform/secret.ts'
import { fetchHostKey } from '@wharf/ssh/fetch-host-key.ts'
import { hostsNeedRoot, reverseCleanup, runProgram, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'

const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), 'wharf-config-'))
const cleanup = reverseCleanup({ after })
cleanup.after(async () => rmSync(folder, { recursive: true }))

let jump: TestHost
let inner: TestHost
before(async () => {
  ;[jump, inner] = (await startHosts(cleanup, 2)) as [TestHost, TestHost]
})

function configFile(name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

test('a host behind a jump host is reached by the ssh configuration', { skip: hostsNeedRoot }, async (t) => {
  const knownHosts = join(folder, 'known_hosts')
  writeFileSync(knownHosts, `${jump.address} ${jump.hostKey}\n`)
  const config = configFile('jump', [
    `Host behind`,
    `  HostName ${inner.address}`,
    `  ProxyJump ${jump.username}@${jump.address}:${jump.port}`,
    `Host ${jump.address}`,
    `  IdentityFile ${jump.privateKeyPath}`,
    `  UserKnownHostsFile ${knownHosts}`,
  ])
  const target = { address: 'behind', port: inner.port, username: inner.username }
  assert.equal(await fetchHostKey(target, { signal, configFile: config }), inner.hostKey)
  const driver = sshDriverOf(t, inner, { ...target, configFile: config })
  assert.equal((await driver.facts({ signal })).hostName, inner.hostname)
  const peers = await inner.exec("ss -Htn state established '( sport = :22 )'")
  assert.match(peers, new RegExp(jump.address))

  writeFileSync(knownHosts, `${jump.address} ${inner.hostKey}\n`)
  const untrusted = sshDriverOf(t, inner, { ...target, configFile: config })
  await assert.rejects(untrusted.ping({ signal }), { code: 'HOST.1003', message: new RegExp(jump.address) })
})

test('an interactive ssh configuration does not interfere', async (t) => {
  const config = configFile('people', [
    'Host *',
    '  RequestTTY force',
    '  RemoteCommand tmux attach',
    '  LocalForward 127.0.0.1:1 127.0.0.1:1',
    '  ExitOnForwardFailure yes',
    '  PermitLocalCommand yes',
    '  LocalCommand touch /tmp/wharf-local-command',
    '  StrictHostKeyChecking no',
    '  UserKnownHostsFile /dev/null',
    '  ControlMaster auto',
    '  ControlPath /tmp/wharf-people-%C',
    '  ControlPersist yes',
    '  LogLevel DEBUG3',
    '  SendEnv *',
    '  ForwardAgent yes',
    '  ConnectTimeout 300',
    '  User nobody',
    '  Port 1',
  ])
  const driver = sshDriverOf(t, inner, { configFile: config })
  const lines: string[] = []
  await driver.run(['sh', '-c', 'echo out; echo err >&2'], { signal, onLine: (line) => void lines.push(line) })
  assert.deepEqual(lines.sort(), ['err', 'out'])
  const wrong = sshDriverOf(t, inner, { configFile: config, hostKey: jump.hostKey })
  await assert.rejects(wrong.ping({ signal }), { code: 'HOST.1004' })
  await runProgram('sh', ['-c', '! ls /tmp/wharf-people-* /tmp/wharf-local-command'])
})

test('without a key of its own the keys of the configuration are tried as well', async (t) => {
  const config = configFile('identity', ['Host *', `  IdentityFile ${inner.privateKeyPath}`])
  const stranger = await runProgram('sh', [
    '-c',
    `ssh-keygen -q -t ed25519 -N '' -f ${folder}/stranger; cat ${folder}/stranger`,
  ])
  const driver = sshDriverOf(t, inner, { configFile: config, privateKey: Secret.of(stranger), onlyThisKey: false })
  await driver.ping({ signal })
})
