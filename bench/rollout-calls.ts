import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from '@wharf/testkit'

const pollMs = 100
/** A call may wait for the upload of a gigabyte. */
const longTimeout = { 'x-api-timeout': '3600' }

type Fields = Record<string, unknown>

export interface BenchRollout {
  readonly uuid: string
  readonly state: string
  readonly reason: string | null
}

/** The calls of the benches of rollouts; a call that is refused throws. */
export class RolloutCalls {
  readonly #server: ServerProcess

  constructor(server: ServerProcess) {
    this.#server = server
  }

  /** Stores an archive on backup storage and publishes it. */
  async publish(url: string): Promise<{ uuid: string; sha256: string; softwarePackageUuid: string }> {
    const stored = await this.#post('/v1/software-packages/backup-storage/upload', {
      name: 'bench',
      type: 'demo',
      url,
      installPath: 'bench/release.tar',
    })
    return this.#post('/v1/releases', { softwarePackageUuid: stored.uuid })
  }

  /** Without gates that take time. */
  create(fields: Fields): Promise<BenchRollout> {
    return this.#post('/v1/rollouts', { name: 'bench', soakSeconds: 0, retries: 0, ...fields })
  }

  /** The number of planned hosts. */
  async dryRun(fields: Fields): Promise<number> {
    const params = { name: 'bench', ...fields, dryRun: true }
    const { body, text } = await this.#server.admin.post('/v1/rollouts', { params })
    if (!body.success) throw new Error(text)
    return (body.plan as unknown[]).length
  }

  async act(uuid: string, action: string, fields: Fields = {}): Promise<void> {
    const { body, text } = await this.#server.admin.put(`/v1/rollouts/${uuid}/actions`, {
      [`${action}Rollout`]: fields,
    })
    if (!body.success) throw new Error(text)
  }

  async remove(uuid: string): Promise<void> {
    const { body, text } = await this.#server.admin.delete(`/v1/rollouts/${uuid}`)
    if (!body.success) throw new Error(text)
  }

  async get(uuid: string): Promise<BenchRollout> {
    const { body } = await this.#server.admin.get(`/v1/rollouts/${uuid}`)
    const [rollout] = body.inventories as BenchRollout[]
    if (rollout === undefined) throw new Error(`rollout ${uuid} does not exist`)
    return rollout
  }

  /** Resolves when it has ended; any other end than the expected one throws. */
  async waitForEnd(uuid: string, expected: string): Promise<void> {
    for (;;) {
      const { state, reason } = await this.get(uuid)
      if (state === expected) return
      if (!['Running', 'RollingBack'].includes(state)) throw new Error(`the rollout is ${state}: ${reason}`)
      await delay(pollMs)
    }
  }

  async targets(uuid: string): Promise<{ uuid: string; state: string; jobUuid: string | null }[]> {
    const { body } = await this.#server.admin.get(`/v1/rollouts/${uuid}/targets?limit=1000`)
    return body.inventories as { uuid: string; state: string; jobUuid: string | null }[]
  }

  async #post<T extends { uuid: string }>(path: string, params: Fields): Promise<T> {
    const { body, text } = await this.#server.admin.post(path, { params }, longTimeout)
    if (!body.success) throw new Error(text)
    return body.inventory as T
  }
}
