import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type EndpointRow = Selectable<Tables['chatEndpoints']>
export type PersonRow = Selectable<Tables['atPersons']>

/** False when the uuid is taken. */
export async function insertEndpoint(tx: Tx, row: EndpointRow): Promise<boolean> {
  const done = await tx
    .insertInto('chatEndpoints')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

export const findEndpoint = (from: Reader | Tx, uuid: string): Promise<EndpointRow | undefined> =>
  from.selectFrom('chatEndpoints').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const enabledEndpoints = (tx: Tx) =>
  tx
    .selectFrom('chatEndpoints')
    .select(['uuid', 'platformUuids'])
    .where('state', '=', 'Enabled')
    .orderBy('createDate')
    .orderBy('uuid')
    .execute()

/** False when the uuid does not exist. */
export async function updateEndpoint(tx: Tx, uuid: string, change: Partial<EndpointRow>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chatEndpoints')
    .set(change)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Persons and deliveries are deleted by their foreign keys. */
export async function deleteEndpoint(tx: Tx, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('chatEndpoints').where('uuid', '=', uuid).executeTakeFirst()
  return numDeletedRows > 0n
}

/** False when the uuid is taken, or the endpoint already has this person. */
export async function insertPerson(tx: Tx, row: PersonRow): Promise<boolean> {
  const done = await tx
    .insertInto('atPersons')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

export const findPerson = (from: Reader | Tx, uuid: string): Promise<PersonRow | undefined> =>
  from.selectFrom('atPersons').selectAll().where('uuid', '=', uuid).executeTakeFirst()

/** In the order in which they are mentioned. */
export const personsOf = (from: Reader | Tx, endpointUuid: string): Promise<PersonRow[]> =>
  from
    .selectFrom('atPersons')
    .selectAll()
    .where('endpointUuid', '=', endpointUuid)
    .orderBy('createDate')
    .orderBy('uuid')
    .execute()

export const updatePerson = (tx: Tx, uuid: string, change: Partial<PersonRow>) =>
  tx.updateTable('atPersons').set(change).where('uuid', '=', uuid).execute()

export async function deletePerson(tx: Tx, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('atPersons').where('uuid', '=', uuid).executeTakeFirst()
  return numDeletedRows > 0n
}
