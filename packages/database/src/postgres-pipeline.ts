import { CompiledQuery, type Driver, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'

/** The start of a transaction is sent together with its first statement, which fails when the start has failed. */
class PipelinedDriver extends PostgresDriver {
  override async beginTransaction(connection: Parameters<PostgresDriver['beginTransaction']>[0]): Promise<void> {
    connection.executeQuery(CompiledQuery.raw('begin')).catch(() => {})
  }
}

export class PipelinedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new PipelinedDriver(this.#config)
  }
}
