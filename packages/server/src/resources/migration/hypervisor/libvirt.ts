import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { dashed, domainName, hasWharfMark } from './domain-xml.ts'
import type { Hypervisor, ListedVm, VmState } from './hypervisor.ts'
import { parseVmList } from './vm-list.ts'

interface Options {
  readonly signal: AbortSignal
}

interface Answer {
  readonly exitCode: number
  readonly lines: readonly string[]
  readonly stderr: string
}

const maxLines = 20_000
const maxStderrCharacters = 2000

/** libvirt through `virsh` on the host. */
export class Libvirt implements Hypervisor {
  readonly #driver: HostDriver
  readonly #uri: string

  constructor(driver: HostDriver, uri: 'qemu:///system' | 'qemu:///session') {
    this.#driver = driver
    this.#uri = uri
  }

  async list({ signal }: Options): Promise<Map<string, ListedVm>> {
    // one connection for both; a VM whose monitor does not answer must not delay the others
    const { lines } = await this.#run('list its VMs', ['list --all --uuid --name; domstats --state --nowait'], {
      signal,
    })
    return parseVmList(lines)
  }

  async define(xml: string, { signal }: Options): Promise<void> {
    await this.#run('define a VM', ['define', '/dev/stdin'], { signal, input: xml })
  }

  async start(uuid: string, options: Options): Promise<void> {
    await this.#run('let a VM start with its host', ['autostart', dashed(uuid)], options)
    const isUp = async () => isActive((await this.list(options)).get(uuid)?.state)
    if (await isUp()) return
    await this.#runUnless(isUp, 'start a VM', ['start', dashed(uuid)], options)
  }

  async remove(uuid: string, options: Options): Promise<boolean> {
    const known = (await this.list(options)).get(uuid)
    if (known === undefined) return true
    if (!(await this.#isCreatedByWharf(uuid, known, options))) return false
    const isDown = async () => !isActive((await this.list(options)).get(uuid)?.state)
    if (isActive(known.state)) await this.#runUnless(isDown, 'stop a VM', ['destroy', dashed(uuid)], options)
    const isRemoved = async () => !(await this.list(options)).has(uuid)
    // libvirt refuses to undefine a VM that has any of these
    const cleanupFlags = ['--managed-save', '--snapshots-metadata', '--checkpoints-metadata', '--nvram']
    await this.#runUnless(isRemoved, 'remove a VM', ['undefine', dashed(uuid), ...cleanupFlags], options)
    return true
  }

  /** A caller may choose the uuid, so it proves nothing, and a VM of Wharf may have been renamed on the host. */
  async #isCreatedByWharf(uuid: string, { name }: ListedVm, options: Options): Promise<boolean> {
    if (name === domainName(uuid)) return true
    const { lines } = await this.#run('describe a VM', ['dumpxml', dashed(uuid)], options)
    return hasWharfMark(uuid, lines.join('\n'))
  }

  async #run(action: string, args: readonly string[], options: Options & { input?: string }): Promise<Answer> {
    const answer = await this.#virsh(args, options)
    if (answer.exitCode !== 0) throw failure(action, answer)
    return answer
  }

  /** virsh fails when the VM is already in the requested state, which is a success here. */
  async #runUnless(isDone: () => Promise<boolean>, action: string, args: readonly string[], options: Options) {
    const answer = await this.#virsh(args, options)
    if (answer.exitCode !== 0 && !(await isDone())) throw failure(action, answer)
  }

  async #virsh(args: readonly string[], options: Options & { input?: string }): Promise<Answer> {
    const lines: string[] = []
    const stderr: string[] = []
    const { exitCode } = await this.#driver.run(['virsh', '--quiet', '--connect', this.#uri, ...args], {
      ...options,
      // the output is parsed
      environment: { LC_ALL: 'C' },
      onLine: (line, stream) => {
        const list = stream === 'stdout' ? lines : stderr
        if (list.length < maxLines) list.push(line)
      },
    })
    return { exitCode, lines, stderr: stderr.join('\n').trim().slice(0, maxStderrCharacters) }
  }
}

const isActive = (state: VmState | undefined): boolean =>
  state !== undefined && state !== 'Stopped' && state !== 'Crashed'

/** The exit code of a shell for a missing program. */
const notFoundExitCode = 127

function failure(action: string, { exitCode, stderr }: Answer): ApiError {
  if (exitCode === notFoundExitCode)
    return new ApiError('MIGRATE.1001', 'virsh is not installed on the host; install libvirt and its clients')
  return new ApiError('MIGRATE.1001', `libvirt could not ${action}: ${stderr || `virsh exited with code ${exitCode}`}`)
}
