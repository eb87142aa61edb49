import { setTimeout as delay } from 'node:timers/promises'
import type { Cli } from './cli.ts'
import { untilInterrupted } from './interrupts.ts'
import { reportReconnects } from './outage.ts'
import type { ListLayout, Row } from './output/output.ts'
import { RedrawnLines } from './output/redrawn-lines.ts'
import { Staleness } from './staleness.ts'

/** Bursts of changes are read together. */
const minIntervalMs = 500
const defaultRows = 24

export interface WatchedList {
  /** The `resourceType` of the events that change the list. */
  readonly eventTypes: readonly string[]
  readonly layout: ListLayout
  readonly emptyMessage: string
  /** The records, and for tables the rows with names. */
  read(): Promise<readonly Row[]>
}

interface View {
  show(rows: readonly Row[]): void
}

/** Prints the list again whenever it changes, until Ctrl-C. */
export const watchRecords = (cli: Cli, list: WatchedList): Promise<void> =>
  untilInterrupted(cli, '', async (signal) => {
    const wharf = await cli.wharf()
    const view = cli.io.stdout.isTTY && cli.out.isTable ? new RedrawnTable(cli, list) : new ChangeLines(cli, list)
    const changes = new Staleness()
    const reconnects = reportReconnects(cli)
    const follow = async (): Promise<void> => {
      const onConnection = (isOpen: boolean): void => {
        reconnects.onConnection(isOpen)
        // changes may have been missed while it was closed
        if (isOpen) changes.mark()
      }
      for await (const { resourceType } of wharf.events({ signal, ...reconnects, onConnection }))
        if (list.eventTypes.includes(resourceType)) changes.mark()
    }
    const draw = async (): Promise<void> => {
      for (; ; await delay(minIntervalMs, undefined, { signal })) {
        await changes.marked()
        const rows = await list.read().catch((error: Error) => {
          // the next connection reads again
          if (error.name === 'ConnectionError') return undefined
          throw error
        })
        if (rows !== undefined) view.show(rows)
      }
    }
    const works = [follow(), draw()]
    for (const work of works) work.catch(() => {})
    await Promise.race(works)
  })

/** A table that replaces itself on the terminal. */
class RedrawnTable implements View {
  readonly #cli: Cli
  readonly #list: WatchedList
  readonly #drawn: RedrawnLines

  constructor(cli: Cli, list: WatchedList) {
    this.#cli = cli
    this.#list = list
    this.#drawn = new RedrawnLines(cli.io.stdout)
  }

  show(rows: readonly Row[]): void {
    const { out, io } = this.#cli
    const text = rows.length === 0 ? `${this.#list.emptyMessage}\n` : out.tableText(rows, this.#list.layout)
    const lines = text.split('\n').slice(0, -1)
    // the cursor cannot return to lines above the screen
    const maxLines = (io.stdout.rows ?? defaultRows) - 2
    const hidden = lines.length - maxLines
    this.#drawn.draw(hidden > 0 ? [...lines.slice(0, maxLines - 1), `… ${hidden + 1} more`] : lines)
  }
}

/** A line for each record that is added, changes or is deleted. */
class ChangeLines implements View {
  readonly #cli: Cli
  readonly #list: WatchedList
  #known = new Map<string, { row: Row; text: string }>()

  constructor(cli: Cli, list: WatchedList) {
    this.#cli = cli
    this.#list = list
  }

  show(rows: readonly Row[]): void {
    const current = new Map(rows.map((row) => [String(row.uuid), { row, text: this.#textOf(row) }]))
    for (const [uuid, { row, text }] of current) {
      const before = this.#known.get(uuid)
      if (before?.text !== text) this.#print(before === undefined ? 'Added' : 'Updated', row)
    }
    for (const [uuid, { row }] of this.#known) if (!current.has(uuid)) this.#print('Deleted', row)
    this.#known = current
  }

  /** A table shows only a part of the fields. */
  #textOf(row: Row): string {
    return JSON.stringify(this.#cli.out.isTable ? this.#list.layout.columns.map((name) => row[name]) : row)
  }

  #print(event: 'Added' | 'Updated' | 'Deleted', row: Row): void {
    const { out } = this.#cli
    const [, line = ''] = out.isTable ? out.tableText([row], this.#list.layout).split('\n') : []
    out.item(out.form === 'name' ? row : { event, record: row }, `${event.padEnd(7)}  ${line}`)
  }
}
