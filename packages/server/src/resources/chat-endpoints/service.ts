import type { ChatKind } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { updatedField } from '@wharf/platform/updated-field.ts'
import type { Events } from '../../events/events.ts'
import type { Language, Recipient } from './platforms/chat-platform.ts'
import * as store from './store.ts'
import { checkedWebhookUrl, shownUrl } from './webhook-url.ts'

export type { DeliveryService, Message } from './delivery-service.ts'
export type { Severity } from './platforms/chat-platform.ts'
export { escapeMarkdown } from './platforms/escape-markdown.ts'
export { safeUrl } from './platforms/safe-url.ts'

export interface EndpointFields {
  name: string
  url: string
  secret?: string | undefined
  atAll?: boolean | undefined
  language?: Language | undefined
  description?: string | undefined
  platformUuids?: readonly string[] | undefined
}

export type NewEndpoint = EndpointFields & { type: ChatKind; resourceUuid?: string | undefined }
export type EndpointChange = Partial<EndpointFields> & {
  stateEvent?: 'enable' | 'disable' | undefined
  clear?: readonly ('secret' | 'description')[]
}

export interface PlatformCheck {
  refuseMissing(tx: Tx, uuids: readonly string[]): Promise<void>
}

interface Deps {
  database: Database
  events: Events
  clock: Clock
  sealing: Sealing
  settings: { downloadAllow: readonly Cidr[] }
  platforms: PlatformCheck
}

/** The chat groups that receive alerts. */
export class ChatEndpointService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async create(tx: Tx, { type, resourceUuid, ...fields }: NewEndpoint): Promise<store.EndpointRow> {
    const { clock, sealing, platforms } = this.#deps
    const now = clock.now()
    const uuid = resourceUuid ?? newUuid()
    const { name, secret, atAll = false, language = 'en', description = null, platformUuids = [] } = fields
    await platforms.refuseMissing(tx, platformUuids)
    const row: store.EndpointRow = {
      uuid,
      name,
      description,
      type,
      ...this.#sealedUrl(uuid, fields.url),
      sealedSecret: secret ? sealing.seal(secret, secretContext(uuid)) : null,
      atAll: atAll ? 1 : 0,
      language,
      platformUuids: JSON.stringify([...new Set(platformUuids)]),
      state: 'Enabled',
      owner: null,
      leaseUntil: 0,
      createDate: now,
      lastOpDate: now,
    }
    if (!(await store.insertEndpoint(tx, row)))
      throw new ApiError('SYS.1002', `a chat endpoint with the uuid ${uuid} exists already`)
    await this.#publish(tx, 'Created', uuid)
    return row
  }

  async get(uuid: string, from: Tx | undefined = undefined): Promise<store.EndpointRow> {
    const row = await store.findEndpoint(from ?? this.#deps.database.read, uuid)
    if (row === undefined) throw notFound('chat endpoint', uuid)
    return row
  }

  async update(tx: Tx, uuid: string, change: EndpointChange): Promise<store.EndpointRow> {
    const { name, url, atAll, language, platformUuids, stateEvent, clear } = change
    const description = updatedField(clear, 'description', change.description)
    const secret = updatedField(clear, 'secret', change.secret)
    if (platformUuids !== undefined) await this.#deps.platforms.refuseMissing(tx, platformUuids)
    const changed = await store.updateEndpoint(tx, uuid, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(language === undefined ? {} : { language }),
      ...(url === undefined ? {} : this.#sealedUrl(uuid, url)),
      ...(secret === undefined
        ? {}
        : { sealedSecret: secret ? this.#deps.sealing.seal(secret, secretContext(uuid)) : null }),
      ...(atAll === undefined ? {} : { atAll: atAll ? 1 : 0 }),
      ...(platformUuids === undefined ? {} : { platformUuids: JSON.stringify([...new Set(platformUuids)]) }),
      ...(stateEvent === undefined ? {} : { state: stateEvent === 'enable' ? 'Enabled' : 'Disabled' }),
      lastOpDate: this.#deps.clock.now(),
    })
    if (!changed) throw notFound('chat endpoint', uuid)
    await this.#publish(tx, 'Updated', uuid)
    return this.get(uuid, tx)
  }

  /** Returns the uuids whose tags must be removed: of the endpoint and of its persons. */
  async delete(tx: Tx, uuid: string): Promise<string[]> {
    const persons = await store.personsOf(tx, uuid)
    if (!(await store.deleteEndpoint(tx, uuid))) throw notFound('chat endpoint', uuid)
    await this.#publish(tx, 'Deleted', uuid)
    return [uuid, ...persons.map((person) => person.uuid)]
  }

  /** The recipient of a message; nothing else opens address and secret. */
  async recipient(endpoint: store.EndpointRow): Promise<Recipient> {
    const { clock, database, sealing } = this.#deps
    const { uuid, sealedUrl, sealedSecret, atAll, language } = endpoint
    const persons = await store.personsOf(database.read, uuid)
    return {
      url: sealing.open(sealedUrl, urlContext(uuid)),
      secret: sealedSecret === null ? undefined : sealing.open(sealedSecret, secretContext(uuid)),
      mentions: persons.map(({ userId, remark }) => ({ userId, remark })),
      atAll: atAll === 1,
      now: clock.now(),
      language,
    }
  }

  #sealedUrl(uuid: string, text: string): { url: string; sealedUrl: Uint8Array } {
    const { sealing, settings } = this.#deps
    const url = checkedWebhookUrl(text.trim(), settings.downloadAllow)
    return { url: shownUrl(url), sealedUrl: sealing.seal(url.href, urlContext(uuid)) }
  }

  #publish(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#deps.events.record(tx, { type, resourceType: 'ChatAppEndpoint', uuid })
  }
}

const urlContext = (uuid: string): string => `chatEndpoints.url.${uuid}`
const secretContext = (uuid: string): string => `chatEndpoints.secret.${uuid}`
