import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Client } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'

export const chats = '/v1/sns/application-endpoints/chatapp'

/** A call that changed something, when it was made and when it was acknowledged. */
export interface Write {
  readonly began: number
  readonly acknowledged: number
  readonly type: 'Created' | 'Updated' | 'Deleted'
  readonly uuid: string
  /** Of the changes of this type that the record has seen, the first being 1. */
  readonly nth: number
}

export interface MadeKey {
  readonly uuid: string
  readonly id: string
  readonly secret: string
}

/** Can be made once more, and is answered the same. */
export interface MadeTag {
  readonly uuid: string
  readonly name: string
  readonly key: string
  readonly text: string
}

/** Calls as fast as they are answered, by several writers, until `stop`; and a record of every write. */
export class Writers {
  readonly writes: Write[] = []
  readonly keys: MadeKey[] = []
  readonly tags: MadeTag[] = []
  /** Chat endpoints whose name and description are changed together, again and again. */
  readonly changed: string[] = []
  readonly #client: Client
  readonly #owner: { accountUuid: string; userUuid: string }
  #isDone = false
  #working: Promise<unknown> = Promise.resolve()

  private constructor(client: Client, owner: { accountUuid: string; userUuid: string }) {
    this.#client = client
    this.#owner = owner
  }

  /** `names` is the prefix of the names of all created records. */
  static async start(client: Client, names: string, count: number, random: SeededRandom): Promise<Writers> {
    const { body } = await client.get('/v1/accesskeys?limit=1')
    const [{ accountUuid, userUuid }] = body.inventories as [{ accountUuid: string; userUuid: string }]
    const writers = new Writers(client, { accountUuid, userUuid })
    writers.#working = Promise.all(
      Array.from({ length: count }, (_, n) => writers.#write(`${names}-${n}`, random.fork(n))),
    )
    writers.#working.catch(() => {})
    return writers
  }

  /** Resolves when this many writes are acknowledged; fails when a writer does. */
  async waitForWrites(count: number): Promise<void> {
    while (this.writes.length < count) await Promise.race([delay(10), this.#working])
  }

  async stop(): Promise<void> {
    this.#isDone = true
    await this.#working
  }

  async #write(name: string, random: SeededRandom): Promise<void> {
    const deletable: string[] = []
    const chat = await this.#createChat(`${name}-chat`)
    let version = 0
    this.changed.push(chat)
    for (let n = 0; !this.#isDone; n++) {
      const which = random.fraction()
      const victim = which < 0.15 ? deletable.shift() : undefined
      if (victim !== undefined) await this.#delete(victim)
      else if (which < 0.6) {
        const uuid = await this.#createTag(`${name}-${n}`, random.hex(32))
        if (random.happens(0.5)) deletable.push(uuid)
      } else if (which < 0.7) await this.#createKey(`${name}-${n}`)
      else if (which < 0.8) await this.#createPerson(await this.#createChat(`${name}-${n}`), `u${n}`)
      else await this.#change(chat, ++version)
    }
  }

  async #record(type: Write['type'], nth: number, call: () => Promise<Answer>, known?: string): Promise<Answer> {
    const began = performance.now()
    const answer = await call()
    assert.equal(answer.status, 200, answer.text)
    const uuid = known ?? (answer.body.inventory as { uuid: string }).uuid
    this.writes.push({ began, acknowledged: performance.now(), type, uuid, nth })
    return answer
  }

  #create(path: string, params: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#record('Created', 1, () => this.#client.post(path, { params }, headers))
  }

  async #createTag(name: string, key: string): Promise<string> {
    const { text, body } = await this.#create('/v1/tags', { name }, { 'idempotency-key': key })
    const { uuid } = body.inventory as { uuid: string }
    this.tags.push({ uuid, name, key, text })
    return uuid
  }

  async #createKey(description: string): Promise<void> {
    const { body } = await this.#create('/v1/accesskeys', { ...this.#owner, description })
    const { uuid, AccessKeyID, AccessKeySecret } = body.inventory as Record<string, string>
    this.keys.push({ uuid: String(uuid), id: String(AccessKeyID), secret: String(AccessKeySecret) })
  }

  async #createChat(name: string): Promise<string> {
    const params = { name, description: name, type: 'Slack', url: 'https://chat.example.com/hook' }
    return ((await this.#create(chats, params)).body.inventory as { uuid: string }).uuid
  }

  async #createPerson(endpointUuid: string, userId: string): Promise<void> {
    await this.#create(`${chats}/at-persons`, { endpointUuid, userId })
  }

  async #change(chat: string, version: number): Promise<void> {
    const updateChatAppEndpoint = { name: `v${version}`, description: `v${version}` }
    const call = (): Promise<Answer> => this.#client.put(`${chats}/${chat}/actions`, { updateChatAppEndpoint })
    await this.#record('Updated', version, call, chat)
  }

  async #delete(tag: string): Promise<void> {
    await this.#record('Deleted', 1, () => this.#client.delete(`/v1/tags/${tag}`), tag)
  }
}
