import { once } from 'node:events'
import { accessSync, appendFileSync, constants, copyFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { hostname, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signalAll, sshdProcesses } from './sshd-processes.ts'
import { SupervisedScript } from './supervised-script.ts'
import { prepareFolder, runProgram, TestHost, type TestHostOptions } from './test-host.ts'

const script = fileURLToPath(new URL('./loopback-host.sh', import.meta.url))

/** An sshd beside others on this machine: it shares files, processes and the network with them. */
class LoopbackHost extends TestHost {
  readonly rootHere = ''

  exec(text: string): Promise<string> {
    return runProgram('sh', ['-c', text])
  }

  linkDown = (): Promise<void> => needsRoot()
  linkUp = (): Promise<void> => needsRoot()
  blackholeTo = (): Promise<never> => needsRoot()

  async kill(): Promise<void> {
    signalAll(sshdProcesses(this.sshdPid), 'SIGKILL')
  }
}

async function needsRoot(): Promise<never> {
  throw new Error('a host on a loopback address has no link to cut: mark the test with hostsNeedRoot')
}

export async function startLoopbackHosts(
  t: { after(work: () => Promise<void>): void },
  count: number,
  options: TestHostOptions,
): Promise<TestHost[]> {
  const { folder, ...credential } = await prepareFolder(userInfo().username, options)
  const keepers: SupervisedScript[] = []
  t.after(async () => {
    for (const keeper of keepers) await keeper.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const hosts: TestHost[] = []
  for (let number = 1; number <= count; number++) {
    // an address per process and host, so that a port can only be taken by ourselves
    const address = `127.${64 + ((process.pid >> 8) & 127)}.${process.pid & 255}.${1 + number}`
    const port = await freePort(address)
    const hostKeyPath = join(folder, `host_key_${number}`)
    await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKeyPath])
    const config = join(folder, `sshd_config_${number}`)
    copyFileSync(join(folder, 'sshd_config'), config)
    appendFileSync(config, settings(folder, address, port, hostKeyPath, options).join('\n'))
    const keeper = await SupervisedScript.start(
      ['sh', script, sshdProgram(), config, folder],
      (lines) => lines.length > 0,
    )
    keepers.push(keeper)
    const sshdPid = Number(keeper.lines[0]?.split(' ')[1])
    hosts.push(new LoopbackHost({ ...credential, address, port, hostname: hostname(), hostKeyPath, sshdPid }))
  }
  await Promise.all(hosts.map((host) => host.waitUntilReachable()))
  return hosts
}

function settings(folder: string, address: string, port: number, key: string, { shell }: TestHostOptions): string[] {
  return [
    `ListenAddress ${address}:${port}`,
    `HostKey ${key}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    // the account keeps its login shell, which forwards the command to the requested shell
    ...(shell ? [`ForceCommand exec ${shell} -c "$SSH_ORIGINAL_COMMAND"`] : []),
    '',
  ]
}

async function freePort(address: string): Promise<number> {
  const probe = createServer().listen(0, address)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/** sshd insists on its full path, and is often not on the path of an ordinary user. */
function sshdProgram(): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = folders.map((folder) => join(folder, 'sshd')).find(isExecutable)
  if (found === undefined) throw new Error('sshd is not installed (Debian package openssh-server)')
  return found
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
