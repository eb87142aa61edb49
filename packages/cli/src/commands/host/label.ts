import { command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { resolveRecord } from '../../names/resolve-record.ts'

interface LabelChange {
  readonly labels: Record<string, string>
  readonly removeLabels: string[]
}

/** As kubectl writes them: `zone=a` sets a label, `zone-` removes it. */
export function parseLabelChange(words: readonly string[]): LabelChange {
  const labels: Record<string, string> = {}
  const removeLabels: string[] = []
  for (const word of words) {
    const at = word.indexOf('=')
    if (at > 0) labels[word.slice(0, at)] = word.slice(at + 1)
    else if (at === -1 && word.endsWith('-') && word.length > 1) removeLabels.push(word.slice(0, -1))
    else throw new UsageError(`invalid label ${word}: write name=value to set a label, name- to remove it`)
  }
  return { labels, removeLabels }
}

export const label = command({
  name: 'label',
  summary: 'Set, remove or list the labels of a host',
  arguments: {
    '<host>': { help: 'name or uuid', names: 'hosts' },
    '[label...]': { help: 'name=value sets a label, name- removes it' },
  },
  options: { '--list': { help: 'list the labels, after the change' } },
  examples: ['host label web-1 zone=a role=web old-', 'host label web-1 --list'],
  async run(cli, { host: nameOrUuid, label: words = [] }, { list }) {
    const { labels, removeLabels } = parseLabelChange(words)
    const wharf = await cli.wharf()
    const host = await resolveRecord(wharf, 'hosts', nameOrUuid)
    const isChange = words.length > 0
    const current = isChange ? (await wharf.hosts.update(host.uuid, { labels, removeLabels })).inventory : host
    if (isChange && !list) return cli.report(`Labels of ${host.name}: ${describe(current.labels)}`, current)
    cli.out.list(
      Object.entries(current.labels as Record<string, string>).map(([name, value]) => ({ name, value })),
      ['name', 'value'],
    )
  },
})

const describe = (labels: unknown): string =>
  Object.entries(labels as Record<string, string>)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') || 'none'
