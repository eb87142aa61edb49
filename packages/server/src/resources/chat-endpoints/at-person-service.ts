import { SNSChatAppAtPersonInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { isUniqueViolation } from '@wharf/database/failures.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import { updatedField } from '@wharf/platform/updated-field.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import type { ChatEndpointService } from './service.ts'
import type { PersonRow } from './store.ts'

export interface NewPerson {
  userId: string
  endpointUuid: string
  resourceUuid?: string | undefined
  remark?: string | undefined
}

interface AtPersonDeps extends RecordDeps {
  readonly endpoints: ChatEndpointService
}

/** The persons that the messages of an endpoint mention, each once. */
export class AtPersonService extends Records<PersonRow> {
  readonly #deps: AtPersonDeps

  constructor(deps: AtPersonDeps) {
    super(deps, { inventory: SNSChatAppAtPersonInventory, label: 'person to mention' })
    this.#deps = deps
  }

  async create(
    tx: Tx,
    { userId, endpointUuid, resourceUuid = newSequentialUuid(), remark }: NewPerson,
  ): Promise<PersonRow> {
    await this.#deps.endpoints.get(endpointUuid, tx)
    return this.add(tx, { resourceUuid, userId, endpointUuid, remark: remark ?? null }, () => alreadyMentioned(userId))
  }

  async change(
    tx: Tx,
    uuid: string,
    fields: { userId?: string | undefined; remark?: string | undefined; clear?: readonly string[] },
  ): Promise<PersonRow> {
    const { userId } = fields
    const remark = updatedField(fields.clear, 'remark', fields.remark)
    try {
      await this.update(tx, uuid, {
        ...(userId === undefined ? {} : { userId }),
        ...(remark === undefined ? {} : { remark }),
      })
    } catch (cause) {
      throw userId !== undefined && isUniqueViolation(cause) ? alreadyMentioned(userId) : cause
    }
    return this.get(uuid, tx)
  }
}

const alreadyMentioned = (userId: string): ApiError =>
  new ApiError('SYS.1002', `the chat endpoint already mentions the user ${userId}`)
