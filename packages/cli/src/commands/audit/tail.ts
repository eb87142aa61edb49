import { setTimeout as delay } from 'node:timers/promises'
import type { AuditEntryInventory, Wharf } from '@wharf/sdk'
import { command } from '../../command.ts'
import { untilInterrupted } from '../../interrupts.ts'
import { parseInteger } from '../../option-values.ts'
import { reportReconnects } from '../../outage.ts'
import { paintState } from '../../output/colours.ts'
import { printable } from '../../output/printable.ts'
import { actorText, outcomeText, resourceText } from './describe.ts'
import { filterConditions, filterOptions } from './entry-filter.ts'

type Entry = Partial<AuditEntryInventory>

/** Entries are chained within seconds. */
const pollMs = 1000
const maxPage = 500
const maxLines = 1000

/** The entries after one of the trail, which only grows. */
class EntryFeed {
  readonly #wharf: Wharf
  readonly #q: readonly string[]
  #last = 0

  constructor(wharf: Wharf, q: readonly string[]) {
    this.#wharf = wharf
    this.#q = q
  }

  /** The newest entries, oldest first. */
  async newest(count: number): Promise<Entry[]> {
    const { auditEntries } = this.#wharf
    const chained = { q: ['seq not null'], sort: '-seq' }
    this.#last = (await auditEntries.query({ ...chained, limit: 1 })).inventories?.[0]?.seq ?? 0
    if (count === 0) return []
    const q = [...this.#q, `seq<=${this.#last}`]
    return (await auditEntries.query({ q, sort: '-seq', limit: count })).inventories?.toReversed() ?? []
  }

  async next(): Promise<readonly Entry[]> {
    const query = { q: [...this.#q, `seq>${this.#last}`], sort: '+seq', limit: maxPage }
    const { inventories = [] } = await this.#wharf.auditEntries.query(query)
    this.#last = inventories.at(-1)?.seq ?? this.#last
    return inventories
  }
}

export const tail = command({
  name: 'tail',
  summary: 'Follow new audit entries',
  more: 'Runs until Ctrl-C and reconnects automatically. Each entry is one line, also with -o json.',
  options: {
    '-n, --lines <count>': { help: 'start with this number of existing entries', default: '10' },
    ...filterOptions,
  },
  examples: ['audit tail', 'audit tail --outcome Denied', 'audit tail --lines 0 -o ndjson'],
  async run(cli, _, { lines, ...filter }) {
    const count = parseInteger('--lines', lines, { max: maxLines }) ?? 0
    const conditions = await filterConditions(() => cli.wharf(), filter)
    const { out, colours } = cli
    const print = (entry: Entry): void =>
      out.item(
        entry,
        lineOf(entry, (text) => paintState(colours, text)),
      )
    await untilInterrupted(cli, '', async (signal) => {
      const feed = new EntryFeed(await cli.wharf(), conditions)
      for (const entry of await feed.newest(count)) print(entry)
      const { onConnection, onFailure } = reportReconnects(cli)
      for (onConnection(true); ; await delay(pollMs, undefined, { signal })) {
        try {
          const entries = await feed.next()
          onConnection(true)
          for (const entry of entries) print(entry)
        } catch (error) {
          if ((error as Error).name !== 'ConnectionError') throw error
          onFailure(error)
        }
      }
    })
  },
})

function lineOf(entry: Entry, paint: (text: string) => string): string {
  const { endDate, operation = '', outcome = '', sourceIp } = entry
  const parts = [endDate, actorText(entry).padEnd(12), operation.padEnd(24), resourceText(entry), sourceIp]
  const result = outcomeText(entry).replace(outcome, paint(outcome))
  return [...parts.filter((part) => typeof part === 'string').map((part) => printable(part)), result].join('  ')
}
