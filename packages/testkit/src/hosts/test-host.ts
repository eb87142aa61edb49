import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { signalAll, sshdProcesses } from './sshd-processes.ts'

export interface TestHostOptions {
  /** The login shell. */
  readonly shell?: '/bin/bash' | '/bin/dash'
  /** Lines for sshd_config that precede ours and therefore take effect. */
  readonly sshd?: readonly string[]
}

/** How to sign in, the same for all hosts that were started together. */
interface Credential {
  readonly username: string
  readonly privateKey: string
  readonly privateKeyPath: string
}

interface HostDetails extends Credential {
  readonly address: string
  readonly port: number
  readonly hostname: string
  /** Where the host, seen from inside, has its host key. */
  readonly hostKeyPath: string
  readonly sshdPid: number
}

const maxAnswerMs = 20_000

/** A host with an sshd of its own. What is marked "root" throws where hosts are only sshds on loopback addresses. */
export abstract class TestHost {
  readonly address: string
  readonly port: number
  readonly username: string
  readonly privateKey: string
  readonly privateKeyPath: string
  readonly hostname: string
  /** As in known_hosts, without the name: `ssh-ed25519 AAAA…`. */
  hostKey = ''
  readonly #hostKeyPath: string
  /** As this machine numbers it: its namespaces can be entered by it. */
  readonly sshdPid: number

  constructor(details: HostDetails) {
    this.address = details.address
    this.port = details.port
    this.username = details.username
    this.privateKey = details.privateKey
    this.privateKeyPath = details.privateKeyPath
    this.hostname = details.hostname
    this.#hostKeyPath = details.hostKeyPath
    this.sshdPid = details.sshdPid
  }

  /** Its root folder as this machine sees it; empty where they share their files. */
  abstract readonly rootHere: string
  /** Runs shell text in the host, past sshd, and gives its standard output; anything but exit code 0 throws. */
  abstract exec(script: string): Promise<string>
  /** Root: nothing reaches it, nothing leaves it. */
  abstract linkDown(): Promise<void>
  abstract linkUp(): Promise<void>
  /** Root: what it sends to this other host is lost, until the returned function is called. */
  abstract blackholeTo(other: TestHost): Promise<() => Promise<void>>
  /** Without a clean shutdown; it cannot be restarted. */
  abstract kill(): Promise<void>

  /** `SHA256:…`, as ssh-keygen shows it. */
  get hostKeyFingerprint(): string {
    const blob = Buffer.from(this.hostKey.split(' ')[1] ?? '', 'base64')
    return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
  }

  /** Stops the sshd and every connection: TCP is accepted and nothing answers. */
  freeze(): void {
    signalAll(sshdProcesses(this.sshdPid), 'SIGSTOP')
  }

  thaw(): void {
    signalAll(sshdProcesses(this.sshdPid), 'SIGCONT')
  }

  /** Breaks every connection; new ones are accepted. */
  cutConnections(): void {
    signalAll(sshdProcesses(this.sshdPid).slice(1), 'SIGKILL')
  }

  /** As after a new installation: another key, and the old connections are closed. */
  async replaceHostKey(): Promise<void> {
    const path = this.#hostKeyPath
    await this.exec(`rm -f '${path}' '${path}.pub'; ssh-keygen -q -t ed25519 -N '' -f '${path}'`)
    this.cutConnections()
    await this.reload()
  }

  /** sshd reads its configuration and its keys again. */
  async reload(): Promise<void> {
    process.kill(this.sshdPid, 'SIGHUP')
    await delay(100)
    await this.waitUntilReachable()
  }

  /** Resolves when sshd sends its banner. */
  async waitUntilReachable(): Promise<void> {
    const deadline = performance.now() + maxAnswerMs
    while (!(await hasSshBanner(this.address, this.port))) {
      if (performance.now() > deadline) throw new Error(`sshd at ${this.address} does not answer`)
      await delay(20)
    }
    const [type, key] = readFileSync(`${this.rootHere}${this.#hostKeyPath}.pub`, 'utf8').split(' ')
    this.hostKey = `${type} ${key}`
  }
}

async function hasSshBanner(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port })
  try {
    const [greeting] = await once(socket, 'data', { signal: AbortSignal.timeout(1000) })
    return String(greeting).startsWith('SSH-2.0')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

/** A fresh folder with a key pair, and the lines of sshd_config that are the same everywhere. */
export async function prepareFolder(
  username: string,
  options: TestHostOptions,
): Promise<{ folder: string } & Credential> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-hosts-'))
  const privateKeyPath = join(folder, 'key')
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'wharf test', '-f', privateKeyPath])
  copyFileSync(`${privateKeyPath}.pub`, join(folder, 'authorized_keys'))
  const settings = [
    ...(options.sshd ?? []),
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'UseDNS no',
    'StrictModes no',
    'PidFile none',
    'MaxStartups 200',
    // the default, which quantum computers do not break, is most of the CPU time of a connection
    'KexAlgorithms ecdh-sha2-nistp256',
    'Subsystem sftp internal-sftp',
  ]
  writeFileSync(join(folder, 'sshd_config'), `${settings.join('\n')}\n`)
  return { folder, username, privateKeyPath, privateKey: readFileSync(privateKeyPath, 'utf8') }
}
