import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { authorizeEachOther, startHosts, type TestHost } from '@wharf/testkit'
import { buildPackage } from '../build-packages.ts'

const source = fileURLToPath(new URL('../../examples/packages/etcd-cluster', import.meta.url))
const unpacked = '/srv/etcd-cluster'

export interface HookOutcome {
  readonly code: number
  readonly output: string
}

/** The package, built and unpacked on the first of three hosts, which can connect to each other without a password. */
export class EtcdClusterFixture {
  readonly hosts: readonly TestHost[]

  private constructor(hosts: readonly TestHost[]) {
    this.hosts = hosts
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<EtcdClusterFixture> {
    const folder = await mkdtemp(join(tmpdir(), 'etcd-cluster-'))
    t.after(() => rm(folder, { recursive: true }))
    const archive = await buildPackage(source, folder)
    const fixture = new EtcdClusterFixture(await startHosts(t, 3))
    await authorizeEachOther(fixture.hosts)
    const unpacking = fixture.#ssh(`mkdir ${unpacked} && tar -xzf - -C ${unpacked}`)
    await pipeline(createReadStream(archive), unpacking.stdin)
    await once(unpacking, 'close')
    return fixture
  }

  host(number: 1 | 2 | 3): TestHost {
    return this.hosts[number - 1] as TestHost
  }

  /** Runs a hook as the server does: in the package's folder, with the input on one line and a minimal environment. */
  async hook(script: string, input: object, onOutput?: (output: string, pid: number) => void): Promise<HookOutcome> {
    const child = this.#ssh(
      `cd ${unpacked} && echo $$ && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 ./${script} 2>&1`,
    )
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      onOutput?.(output, Number.parseInt(output, 10))
    })
    child.stdin.end(`${JSON.stringify(input)}\n`)
    const [[code], errors] = await Promise.all([once(child, 'close'), text(child.stderr)])
    return { code, output: output.replace(/^\d+\n/, '') + errors }
  }

  #ssh(command: string) {
    const { address, hostKey, privateKeyPath, username } = this.host(1)
    const known = `KnownHostsCommand=/bin/echo ${address} ${hostKey}`
    const options = [
      '-F',
      'none',
      '-i',
      privateKeyPath,
      '-o',
      known,
      '-o',
      'UserKnownHostsFile=none',
      '-o',
      'LogLevel=ERROR',
    ]
    return spawn('ssh', [...options, `${username}@${address}`, command], { stdio: 'pipe' })
  }
}
