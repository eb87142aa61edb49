import { ChatAppEndpointInventory, type ChatKind, type SystemEventName } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { updatedField } from '@wharf/platform/updated-field.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import type { Language, Recipient } from './platforms/chat-platform.ts'
import { ChatEndpointStore, type EndpointRow } from './store.ts'
import { checkedWebhookUrl, shownUrl } from './webhook-url.ts'

export { DeliveryService, type Message, type Subscriber, type SystemEventMessage } from './delivery-service.ts'
export type { TemplatedEndpoint } from './event-renderer.ts'
export type { ChatMessage, Language } from './platforms/chat-platform.ts'
export { escapeMarkdown } from './platforms/portable-text.ts'
export { safeUrl } from './platforms/safe-url.ts'

export interface EndpointFields {
  name: string
  url: string
  secret?: string | undefined
  atAll?: boolean | undefined
  language?: Language | undefined
  description?: string | undefined
  platformUuids?: readonly string[] | undefined
  ownEvents?: readonly SystemEventName[] | undefined
  /** One that was checked. */
  ownEventTemplate?: string | undefined
}

export type NewEndpoint = EndpointFields & { type: ChatKind; resourceUuid?: string | undefined }
export type EndpointChange = Partial<EndpointFields> & {
  stateEvent?: 'enable' | 'disable' | undefined
  clear?: readonly ('secret' | 'description' | 'ownEventTemplate')[]
}

export interface PlatformCheck {
  refuseMissing(tx: Tx, uuids: readonly string[]): Promise<void>
}

interface ChatEndpointDeps extends RecordDeps {
  readonly sealing: Sealing
  readonly settings: { readonly downloadAllow: readonly Cidr[] }
  readonly platforms: PlatformCheck
}

/** The chat groups that receive alerts and events of Wharf itself. */
export class ChatEndpointService extends Records<EndpointRow> {
  readonly #deps: ChatEndpointDeps
  readonly #store: ChatEndpointStore

  constructor(deps: ChatEndpointDeps) {
    super(deps, { inventory: ChatAppEndpointInventory, label: 'chat endpoint' })
    this.#deps = deps
    this.#store = new ChatEndpointStore(deps.database)
  }

  async create(
    tx: Tx,
    { type, resourceUuid: uuid = newSequentialUuid(), ...fields }: NewEndpoint,
  ): Promise<EndpointRow> {
    const { name, secret, atAll = false, language = 'en', description = null, platformUuids = [] } = fields
    const { ownEvents = [], ownEventTemplate = null } = fields
    await this.#deps.platforms.refuseMissing(tx, platformUuids)
    return this.add(tx, {
      resourceUuid: uuid,
      name,
      description,
      type,
      ...this.#sealedUrl(uuid, fields.url),
      sealedSecret: this.#sealedSecret(uuid, secret),
      atAll: atAll ? 1 : 0,
      language,
      platformUuids: JSON.stringify([...new Set(platformUuids)]),
      ownEvents: JSON.stringify([...new Set(ownEvents)]),
      ownEventTemplate,
      state: 'Enabled',
      owner: null,
      leaseUntil: 0,
    })
  }

  async change(tx: Tx, uuid: string, fields: EndpointChange): Promise<EndpointRow> {
    const { name, url, atAll, language, platformUuids, ownEvents, stateEvent, clear } = fields
    const description = updatedField(clear, 'description', fields.description)
    const secret = updatedField(clear, 'secret', fields.secret)
    const ownEventTemplate = updatedField(clear, 'ownEventTemplate', fields.ownEventTemplate)
    if (platformUuids !== undefined) await this.#deps.platforms.refuseMissing(tx, platformUuids)
    await this.update(tx, uuid, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(language === undefined ? {} : { language }),
      ...(url === undefined ? {} : this.#sealedUrl(uuid, url)),
      ...(secret === undefined ? {} : { sealedSecret: this.#sealedSecret(uuid, secret) }),
      ...(atAll === undefined ? {} : { atAll: atAll ? 1 : 0 }),
      ...(platformUuids === undefined ? {} : { platformUuids: JSON.stringify([...new Set(platformUuids)]) }),
      ...(ownEvents === undefined ? {} : { ownEvents: JSON.stringify([...new Set(ownEvents)]) }),
      ...(ownEventTemplate === undefined ? {} : { ownEventTemplate }),
      ...(stateEvent === undefined ? {} : { state: stateEvent === 'enable' ? 'Enabled' : 'Disabled' }),
    })
    return this.get(uuid, tx)
  }

  /** Its persons and deliveries are deleted by their foreign keys. Returns the uuids whose tags must be removed. */
  async delete(tx: Tx, uuid: string): Promise<string[]> {
    const persons = await this.#store.listPersons(uuid, tx)
    await this.remove(tx, uuid)
    return [uuid, ...persons.map((person) => person.uuid)]
  }

  /** The recipient of a message; nothing else opens address and secret. */
  async recipient(endpoint: EndpointRow): Promise<Recipient> {
    const { sealing } = this.#deps
    const { uuid, sealedUrl, sealedSecret, atAll, language } = endpoint
    const persons = await this.#store.listPersons(uuid)
    return {
      url: sealing.open(sealedUrl, urlContext(uuid)),
      secret: sealedSecret === null ? undefined : sealing.open(sealedSecret, secretContext(uuid)),
      mentions: persons.map(({ userId, remark }) => ({ userId, remark })),
      atAll: atAll === 1,
      now: this.clock.now(),
      language,
    }
  }

  #sealedUrl(uuid: string, text: string): { url: string; sealedUrl: Uint8Array } {
    const { sealing, settings } = this.#deps
    const url = checkedWebhookUrl(text.trim(), settings.downloadAllow)
    return { url: shownUrl(url), sealedUrl: sealing.seal(url.href, urlContext(uuid)) }
  }

  #sealedSecret(uuid: string, secret: string | null | undefined): Uint8Array | null {
    return secret ? this.#deps.sealing.seal(secret, secretContext(uuid)) : null
  }
}

const urlContext = (uuid: string): string => `chatEndpoints.url.${uuid}`
const secretContext = (uuid: string): string => `chatEndpoints.secret.${uuid}`
