import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { runProgram, type TestHost } from './test-host.ts'

const program = fileURLToPath(import.meta.resolve('@wharf/announcer/main.ts'))

/** Our end of the network that the host is in. */
export function interfaceTo(host: TestHost): string {
  const gateway = host.address.replace(/\d+$/, '1')
  const found = Object.entries(networkInterfaces()).find(([, infos]) =>
    infos?.some(({ address }) => address === gateway),
  )
  if (found === undefined) throw new Error(`no interface of this machine leads to ${host.address}`)
  return found[0]
}

/** The announcer program, in the network and under the name of the host. */
export class HostAnnouncer {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Resolves when it runs. */
  static async start(
    t: { after(work: () => Promise<void>): void },
    host: TestHost,
    args: readonly string[],
  ): Promise<HostAnnouncer> {
    const nsenterArgs = [
      `--target=${host.sshdPid}`,
      '--net',
      '--uts',
      process.execPath,
      program,
      '--interface=eth0',
      ...args,
    ]
    const child = spawn('nsenter', nsenterArgs, { stdio: ['ignore', 'ignore', 'pipe'] })
    const announcer = new HostAnnouncer(child)
    t.after(() => announcer.stop())
    await once(child.stderr, 'data')
    return announcer
  }

  /** Sends the goodbye announcement. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}

/** avahi-daemon in the host, with the service file that our program prints. It stops with its host. */
export async function startAvahi(host: TestHost, facts: readonly string[]): Promise<void> {
  const service = await runProgram(process.execPath, [program, '--print-avahi', ...facts])
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const settings = '[server]\nenable-dbus=no\nallow-interfaces=eth0\n[publish]\n[wide-area]\nenable-wide-area=no\n'
  await host.exec(
    [
      'mkdir -p /etc/avahi/services',
      `printf %s ${quoted(settings)} >/etc/avahi/avahi-daemon.conf`,
      `printf %s ${quoted(service)} >/etc/avahi/services/wharf.service`,
      'avahi-daemon -D --no-drop-root --no-rlimits --no-chroot',
    ].join(' && '),
  )
}
