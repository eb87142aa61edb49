import pg from 'pg'

/** What the driver sends, as far as it is used here. */
interface Protocol {
  bind(values: { statement: string; values: readonly unknown[] }): void
  execute(portal: { portal: string }): void
  sync(): void
}

/** A query of the driver: the parts that its types leave out. */
interface DriverQuery {
  prepare(protocol: Protocol): void
  handleCommandComplete(message: { text: string }, protocol: Protocol): void
}

const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[]) => DriverQuery & pg.Submittable

/** The statements `begin` and `commit` as they are prepared on every connection. */
export const boundaryStatements = ['begin', 'commit'] as const

/**
 * A statement with values, and the start or the end of its transaction, in one round trip. The server skips everything after a failure
 * up to the end of the round trip: without a transaction nothing is changed, and after a failed statement nothing is committed.
 */
export class TransactionQuery extends DriverQuery {
  readonly begins: boolean
  readonly commits: boolean

  constructor(
    text: string,
    values: unknown[],
    { begins, commits }: { readonly begins: boolean; readonly commits: boolean },
  ) {
    super(text, values)
    this.begins = begins
    this.commits = commits
  }

  override prepare(protocol: Protocol): void {
    if (this.begins) runPrepared(protocol, 'begin')
    super.prepare(protocol)
  }

  /** Called by the driver as the end of `prepare`. */
  _getRows(protocol: Protocol): void {
    protocol.execute({ portal: '' })
    if (this.commits) runPrepared(protocol, 'commit')
    protocol.sync()
  }

  override handleCommandComplete(message: { text: string }, protocol: Protocol): void {
    if (message.text !== 'BEGIN' && message.text !== 'COMMIT') super.handleCommandComplete(message, protocol)
  }
}

function runPrepared(protocol: Protocol, statement: (typeof boundaryStatements)[number]): void {
  protocol.bind({ statement, values: [] })
  protocol.execute({ portal: '' })
}
