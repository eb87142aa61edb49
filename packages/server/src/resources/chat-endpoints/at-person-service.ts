import type { Tx } from '@wharf/database/database.ts'
import { isUniqueViolation } from '@wharf/database/failures.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { updatedField } from '@wharf/platform/updated-field.ts'
import type { Events } from '../../events/events.ts'
import type { ChatEndpointService } from './service.ts'
import * as store from './store.ts'

export interface NewPerson {
  userId: string
  endpointUuid: string
  resourceUuid?: string | undefined
  remark?: string | undefined
}

interface Deps {
  events: Events
  clock: Clock
  endpoints: ChatEndpointService
}

/** The persons that the messages of an endpoint mention, each once. */
export class AtPersonService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async add(tx: Tx, { userId, endpointUuid, resourceUuid, remark }: NewPerson): Promise<store.PersonRow> {
    await this.#deps.endpoints.get(endpointUuid, tx)
    const now = this.#deps.clock.now()
    const uuid = resourceUuid ?? newUuid()
    const row = { uuid, userId, endpointUuid, remark: remark ?? null, createDate: now, lastOpDate: now }
    if (!(await store.insertPerson(tx, row))) {
      const isUuidTaken = (await store.findPerson(tx, uuid)) !== undefined
      throw isUuidTaken
        ? new ApiError('SYS.1002', `a person with the uuid ${uuid} exists already`)
        : alreadyMentioned(userId)
    }
    await this.#publish(tx, 'Created', uuid)
    return row
  }

  async update(
    tx: Tx,
    uuid: string,
    { userId, ...change }: { userId?: string | undefined; remark?: string | undefined; clear?: readonly string[] },
  ): Promise<store.PersonRow> {
    const before = await store.findPerson(tx, uuid)
    if (before === undefined) throw notFound('person to mention', uuid)
    const remark = updatedField(change.clear, 'remark', change.remark)
    const row = {
      ...before,
      userId: userId ?? before.userId,
      remark: remark === undefined ? before.remark : remark,
      lastOpDate: this.#deps.clock.now(),
    }
    try {
      await store.updatePerson(tx, uuid, row)
    } catch (cause) {
      throw isUniqueViolation(cause) ? alreadyMentioned(row.userId) : cause
    }
    await this.#publish(tx, 'Updated', uuid)
    return row
  }

  async delete(tx: Tx, uuid: string): Promise<void> {
    if (!(await store.deletePerson(tx, uuid))) throw notFound('person to mention', uuid)
    await this.#publish(tx, 'Deleted', uuid)
  }

  #publish(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#deps.events.record(tx, { type, resourceType: 'ChatAppAtPerson', uuid })
  }
}

const alreadyMentioned = (userId: string): ApiError =>
  new ApiError('SYS.1002', `the chat endpoint already mentions the user ${userId}`)
