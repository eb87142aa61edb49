import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type ReleaseRow = Selectable<Tables['releases']>

/** The queries of releases that `Records` does not have. */
export class ReleaseStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  findVersion(name: string, version: string, tx?: Tx): Promise<ReleaseRow | undefined> {
    return (tx ?? this.#database.read)
      .selectFrom('releases')
      .selectAll()
      .where('name', '=', name)
      .where('version', '=', version)
      .executeTakeFirst()
  }

  /** Of this name and not retired, in the order of their publication. */
  listPublished(name: string): Promise<ReleaseRow[]> {
    return this.#database.read
      .selectFrom('releases')
      .selectAll()
      .where('name', '=', name)
      .where('state', '=', 'Published')
      .orderBy('createDate')
      .execute()
  }

  findOfPackage(tx: Tx, softwarePackageUuid: string): Promise<ReleaseRow | undefined> {
    return tx
      .selectFrom('releases')
      .selectAll()
      .where('softwarePackageUuid', '=', softwarePackageUuid)
      .executeTakeFirst()
  }
}
