import type { Change } from '@wharf/sdk'
import { command } from '../command.ts'
import { telling } from '../connection-news.ts'
import { countOf } from '../listing.ts'
import { printable } from '../output/printable.ts'
import { Interrupted } from '../refusals.ts'

export const events = command({
  name: 'events',
  summary: 'Show changes as they happen',
  more: 'It goes on until Ctrl-C, and connects anew when it has to. Each is one line, with -o json too.',
  options: {
    '--resource <type>': {
      help: 'only of this kind, such as SoftwarePackage; may be given several times',
      repeated: true,
    },
    '--after <id>': { help: 'begin behind this event, at most an hour ago' },
    '--limit <count>': { help: 'end after so many' },
  },
  examples: ['events', 'events --resource ApiJob -o ndjson', 'events --resource SoftwarePackage --limit 1'],
  async run(cli, _, { resource, after, limit }) {
    const wharf = await cli.wharf()
    const stop = new AbortController()
    const ignore = cli.io.onInterrupt(() => stop.abort())
    const most = countOf(limit) ?? Number.POSITIVE_INFINITY
    try {
      let seen = 0
      for await (const change of wharf.events({ lastEventId: after, signal: stop.signal, ...telling(cli) })) {
        if (resource && !resource.includes(change.resourceType)) continue
        cli.out.item(change, lineOf(change))
        if (++seen >= most) return
      }
    } catch (error) {
      throw stop.signal.aborted ? new Interrupted('') : error
    } finally {
      ignore()
      stop.abort()
    }
  },
})

const lineOf = ({ at, type, resourceType, uuid }: Change): string =>
  [at, String(type).padEnd(8), String(resourceType).padEnd(20), uuid].map((part) => printable(String(part))).join('  ')
