import { CompiledQuery } from 'kysely'

interface Repeated {
  readonly sql: string
  readonly lists: readonly (readonly unknown[])[]
}

/** Statements that SQLite runs once for each list of values: the query builder takes as long for one as for all of them. */
export interface RepeatedQuery extends CompiledQuery {
  readonly statements: readonly Repeated[]
}

export const repeatedQuery = (...statements: readonly Repeated[]): RepeatedQuery => ({
  ...CompiledQuery.raw(''),
  statements,
})

export const isRepeated = (query: CompiledQuery): query is RepeatedQuery => 'statements' in query
