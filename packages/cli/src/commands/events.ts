import type { Change } from '@wharf/sdk'
import { command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { untilInterrupted } from '../interrupts.ts'
import { suggestion } from '../names/similar.ts'
import { parseLimit } from '../option-values.ts'
import { reportReconnects } from '../outage.ts'
import { printable } from '../output/printable.ts'
import { resourceTypes } from './events/resource-types.ts'

export const events = command({
  name: 'events',
  summary: 'Stream changes of records',
  more: 'Runs until Ctrl-C and reconnects automatically. Each change is one line, also with -o json.',
  options: {
    '--resource <type>': {
      help: 'only records of this type, such as SoftwarePackage; repeatable',
      repeated: true,
      names: 'resourceTypes',
    },
    '--after <id>': { help: 'start after this event, at most an hour ago' },
    '--limit <count>': { help: 'exit after this number of changes' },
  },
  examples: [
    'events',
    'events --resource ApiJob --resource Host',
    'events --resource ApiJob -o ndjson',
    'events --resource SoftwarePackage --limit 1',
  ],
  async run(cli, _, { resource = [], after, limit }) {
    await requireResourceTypes(resource)
    const wharf = await cli.wharf()
    const maxCount = parseLimit(limit) ?? Number.POSITIVE_INFINITY
    await untilInterrupted(cli, '', async (signal) => {
      let count = 0
      for await (const change of wharf.events({ lastEventId: after, signal, ...reportReconnects(cli) })) {
        if (resource.length > 0 && !resource.includes(change.resourceType)) continue
        cli.out.item(change, lineOf(change))
        if (++count >= maxCount) return
      }
    })
  },
})

/** Without this check, a misspelled type would wait indefinitely. */
async function requireResourceTypes(types: readonly string[]): Promise<void> {
  const known = await resourceTypes()
  const unknown = types.find((type) => !known.includes(type))
  if (unknown === undefined) return
  const remedy = [suggestion(unknown, known), `types: ${known.join(', ')}`].filter(Boolean).join('\n  ')
  throw new UsageError(`no resource type ${unknown}`, remedy)
}

const lineOf = ({ at, type, resourceType, uuid }: Change): string =>
  [at, String(type).padEnd(8), String(resourceType).padEnd(20), uuid].map((part) => printable(String(part))).join('  ')
