import type { Wharf } from '@wharf/sdk'
import { type CommandSpec, command } from './command.ts'
import { kindOf, withArticle } from './names/record-kinds.ts'
import { resolveRecord } from './names/resolve-record.ts'

type StatefulKind = 'hosts' | 'backupStorage' | 'accessKeys'

interface Group {
  changeState(uuid: string, fields: { stateEvent: string }): Promise<{ inventory: Record<string, unknown> }>
  reconnect(uuid: string): Promise<{ inventory: Record<string, unknown> }>
}

const groupOf = (wharf: Wharf, kind: StatefulKind): Group => wharf[kind] as unknown as Group

/** `enable` and `disable` */
export const stateCommands = (kind: StatefulKind, path: string, example: string): CommandSpec[] =>
  (['enable', 'disable'] as const).map((stateEvent) =>
    command({
      name: stateEvent,
      summary: `${stateEvent === 'enable' ? 'Enable' : 'Disable'} ${withArticle(kindOf(kind).noun)}`,
      arguments: { '<name>': { help: 'name or uuid', names: kind } },
      examples: [`${path} ${stateEvent} ${example}`],
      async run(cli, { name }) {
        const wharf = await cli.wharf()
        const record = await resolveRecord(wharf, kind, name)
        const { inventory } = await groupOf(wharf, kind).changeState(record.uuid, { stateEvent })
        cli.report(`${stateEvent === 'enable' ? 'Enabled' : 'Disabled'} ${record[kindOf(kind).field]}.`, inventory)
      },
    }),
  )

export const reconnectCommand = (kind: 'hosts' | 'backupStorage', path: string, example: string): CommandSpec =>
  command({
    name: 'reconnect',
    summary: `Reconnect ${withArticle(kindOf(kind).noun)}`,
    arguments: { '<name>': { help: 'name or uuid', names: kind } },
    examples: [`${path} reconnect ${example}`],
    async run(cli, { name }) {
      const wharf = await cli.wharf()
      const { uuid, name: known } = await resolveRecord(wharf, kind, name)
      const { inventory } = await groupOf(wharf, kind).reconnect(uuid)
      cli.report(`${known} is ${String(inventory.status)}.`, inventory)
    },
  })
