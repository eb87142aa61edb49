import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { dashed, domainName, isMadeAs } from './domain-xml.ts'
import type { Hypervisor, KnownVm, VmState } from './hypervisor.ts'
import { readKnownVms } from './known-vms.ts'

interface Options {
  readonly signal: AbortSignal
}

interface Answer {
  readonly exitCode: number
  readonly lines: readonly string[]
  readonly said: string
}

const maxLines = 20_000
const maxSaidCharacters = 2000

/** libvirt by its own program on the host. */
export class Libvirt implements Hypervisor {
  readonly #driver: HostDriver
  readonly #uri: string

  constructor(driver: HostDriver, uri: 'qemu:///system' | 'qemu:///session') {
    this.#driver = driver
    this.#uri = uri
  }

  async list({ signal }: Options): Promise<Map<string, KnownVm>> {
    // one connection for both; a VM whose monitor does not answer must not hold up the others
    const { lines } = await this.#must('list its VMs', ['list --all --uuid --name; domstats --state --nowait'], {
      signal,
    })
    return readKnownVms(lines)
  }

  async define(xml: string, { signal }: Options): Promise<void> {
    await this.#must('define a VM', ['define', '/dev/stdin'], { signal, input: xml })
  }

  async start(uuid: string, options: Options): Promise<void> {
    await this.#must('let a VM start with its host', ['autostart', dashed(uuid)], options)
    const isUp = async () => isActive((await this.list(options)).get(uuid)?.state)
    if (await isUp()) return
    await this.#mustUnless(isUp, 'start a VM', ['start', dashed(uuid)], options)
  }

  async remove(uuid: string, options: Options): Promise<boolean> {
    const known = (await this.list(options)).get(uuid)
    if (known === undefined) return true
    if (!(await this.#isOurs(uuid, known, options))) return false
    const isDown = async () => !isActive((await this.list(options)).get(uuid)?.state)
    if (isActive(known.state)) await this.#mustUnless(isDown, 'stop a VM', ['destroy', dashed(uuid)], options)
    const isGone = async () => !(await this.list(options)).has(uuid)
    // what hangs on a VM would keep it from going
    const along = ['--managed-save', '--snapshots-metadata', '--checkpoints-metadata', '--nvram']
    await this.#mustUnless(isGone, 'remove a VM', ['undefine', dashed(uuid), ...along], options)
    return true
  }

  /** Callers may choose uuids, so that one alone proves nothing. A VM of ours may have got another name on the host. */
  async #isOurs(uuid: string, { name }: KnownVm, options: Options): Promise<boolean> {
    if (name === domainName(uuid)) return true
    const { lines } = await this.#must('describe a VM', ['dumpxml', dashed(uuid)], options)
    return isMadeAs(uuid, lines.join('\n'))
  }

  async #must(what: string, words: readonly string[], options: Options & { input?: string }): Promise<Answer> {
    const answer = await this.#virsh(words, options)
    if (answer.exitCode !== 0) throw failure(what, answer)
    return answer
  }

  /** Someone else may have done it meanwhile, and virsh calls that a failure. */
  async #mustUnless(isDone: () => Promise<boolean>, what: string, words: readonly string[], options: Options) {
    const answer = await this.#virsh(words, options)
    if (answer.exitCode !== 0 && !(await isDone())) throw failure(what, answer)
  }

  async #virsh(words: readonly string[], options: Options & { input?: string }): Promise<Answer> {
    const lines: string[] = []
    const said: string[] = []
    const { exitCode } = await this.#driver.run(['virsh', '--quiet', '--connect', this.#uri, ...words], {
      ...options,
      // its words are read here
      environment: { LC_ALL: 'C' },
      onLine: (line, stream) => {
        const list = stream === 'stdout' ? lines : said
        if (list.length < maxLines) list.push(line)
      },
    })
    return { exitCode, lines, said: said.join('\n').trim().slice(0, maxSaidCharacters) }
  }
}

const isActive = (state: VmState | undefined): boolean =>
  state !== undefined && state !== 'Stopped' && state !== 'Crashed'

/** The shell's word for a program that is not there. */
const notFoundExitCode = 127

function failure(what: string, { exitCode, said }: Answer): ApiError {
  if (exitCode === notFoundExitCode)
    return new ApiError('MIGRATE.1001', 'virsh is not on the host; install libvirt and its clients there')
  return new ApiError('MIGRATE.1001', `libvirt could not ${what}: ${said || `virsh ended with exit code ${exitCode}`}`)
}
