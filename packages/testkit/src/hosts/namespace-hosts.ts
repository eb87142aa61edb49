import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SupervisedScript } from './supervised-script.ts'
import { prepareFolder, runProgram, TestHost, type TestHostOptions } from './test-host.ts'

const script = fileURLToPath(new URL('./namespace-hosts.sh', import.meta.url))
const hostKeyPath = '/etc/ssh/wharf_host_key'

interface HostLink {
  /** Our end of its cable. */
  readonly link: string
}

class NamespaceHost extends TestHost {
  readonly #link: string

  constructor(details: ConstructorParameters<typeof TestHost>[0], { link }: HostLink) {
    super(details)
    this.#link = link
  }

  get rootHere(): string {
    return `/proc/${this.sshdPid}/root`
  }

  exec(text: string): Promise<string> {
    return runProgram('nsenter', [`--target=${this.sshdPid}`, '--all', '--root', '--wd', 'sh', '-c', text])
  }

  async linkDown(): Promise<void> {
    await runProgram('ip', ['link', 'set', this.#link, 'down'])
  }

  async linkUp(): Promise<void> {
    await runProgram('ip', ['link', 'set', this.#link, 'up'])
  }

  async blackholeTo(other: TestHost): Promise<() => Promise<void>> {
    await this.exec(`ip route add blackhole ${other.address}/32`)
    return async () => {
      await this.exec(`ip route delete blackhole ${other.address}/32`)
    }
  }

  /** Kills its first process, and with it all others. */
  async kill(): Promise<void> {
    process.kill(this.sshdPid, 'SIGKILL')
  }
}

/** Hosts in namespaces, on a network of their own that this machine is in too. The script creates them. */
export async function startNamespaceHosts(
  t: { after(work: () => Promise<void>): void },
  count: number,
  options: TestHostOptions,
): Promise<TestHost[]> {
  const { folder, ...credential } = await prepareFolder('root', options)
  const settings = ['PermitRootLogin prohibit-password', `HostKey ${hostKeyPath}`]
  const keys = 'AuthorizedKeysFile /etc/ssh/wharf_authorized_keys .ssh/authorized_keys'
  appendFileSync(join(folder, 'sshd_config'), `${[...settings, keys].join('\n')}\n`)

  const { shell = '/bin/bash' } = options
  const supervised = await SupervisedScript.start(
    ['unshare', '--mount', '--propagation', 'private', 'sh', script, 'hosts', folder, String(count), shell],
    (lines) => lines.includes('ready') && lines.filter((line) => line.startsWith('host ')).length === count,
  )
  t.after(() => supervised.stop())

  const words = supervised.lines.map((line) => line.split(' '))
  const [, prefix, bridge] = words.find(([what]) => what === 'network') ?? []
  const hosts = words
    .filter(([what]) => what === 'host')
    .map(([, number, pid]) => ({ number: Number(number), sshdPid: Number(pid) }))
    .sort((a, b) => a.number - b.number)
    .map(({ number, sshdPid }) => {
      const address = `${prefix}.${10 + number}`
      const details = { ...credential, address, port: 22, hostname: `wharf-host-${number}`, hostKeyPath, sshdPid }
      return new NamespaceHost(details, { link: `${bridge}-${number}` })
    })
  await Promise.all(hosts.map((host) => host.waitUntilReachable()))
  return hosts
}
