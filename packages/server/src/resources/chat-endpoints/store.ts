import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type EndpointRow = Selectable<Tables['chatEndpoints']>
export type PersonRow = Selectable<Tables['atPersons']>

/** The queries of endpoints and persons that `Records` does not have. */
export class ChatEndpointStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** On PostgreSQL none of them is deleted before this transaction ends, so that messages can refer to them. */
  listEnabled(tx: Tx) {
    return tx
      .selectFrom('chatEndpoints')
      .select(['uuid', 'language', 'platformUuids', 'ownEvents'])
      .where('state', '=', 'Enabled')
      .orderBy('createDate')
      .orderBy('uuid')
      .$if(this.#database.engine === 'postgres', (query) => query.forKeyShare())
      .execute()
  }

  /** In the order in which they are mentioned. */
  listPersons(endpointUuid: string, from?: Tx): Promise<PersonRow[]> {
    return (from ?? this.#database.read)
      .selectFrom('atPersons')
      .selectAll()
      .where('endpointUuid', '=', endpointUuid)
      .orderBy('createDate')
      .orderBy('uuid')
      .execute()
  }
}
