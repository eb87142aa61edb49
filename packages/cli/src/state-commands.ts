import type { Wharf } from '@wharf/sdk'
import { type CommandSpec, command } from './command.ts'
import { forEachName } from './for-each-name.ts'
import { kindOf, withArticle } from './names/record-kinds.ts'
import { resolveRecord } from './names/resolve-record.ts'

type StatefulKind = 'hosts' | 'backupStorage' | 'accessKeys' | 'alertPlatforms' | 'chatEndpoints'

interface Group {
  changeState?(uuid: string, fields: { stateEvent: string }): Promise<{ inventory: Record<string, unknown> }>
  update?(uuid: string, fields: { stateEvent: string }): Promise<{ inventory: Record<string, unknown> }>
  reconnect(uuid: string): Promise<{ inventory: Record<string, unknown> }>
}

const groupOf = (wharf: Wharf, kind: StatefulKind): Group => wharf[kind] as unknown as Group

/** `enable` and `disable` */
export const stateCommands = (
  kind: StatefulKind,
  path: string,
  [first, second]: readonly [string, string],
): CommandSpec[] =>
  (['enable', 'disable'] as const).map((stateEvent) =>
    command({
      name: stateEvent,
      summary: `${stateEvent === 'enable' ? 'Enable' : 'Disable'} ${withArticle(kindOf(kind).noun)}`,
      arguments: { '<name...>': { help: 'names or uuids', names: kind } },
      examples: [`${path} ${stateEvent} ${first}`, `${path} ${stateEvent} ${first} ${second}`],
      async run(cli, { name: names }) {
        const wharf = await cli.wharf()
        await forEachName(cli, names, {
          find: (name) => resolveRecord(wharf, kind, name),
          async act(record) {
            const group = groupOf(wharf, kind)
            const change = group.changeState ?? group.update
            const { inventory = {} } = (await change?.(record.uuid, { stateEvent })) ?? {}
            const done = stateEvent === 'enable' ? 'Enabled' : 'Disabled'
            return { message: `${done} ${record[kindOf(kind).field]}.`, data: inventory }
          },
        })
      },
    }),
  )

export const reconnectCommand = (
  kind: 'hosts' | 'backupStorage',
  path: string,
  [first, second]: readonly [string, string],
): CommandSpec =>
  command({
    name: 'reconnect',
    summary: `Reconnect ${withArticle(kindOf(kind).noun)}`,
    arguments: { '<name...>': { help: 'names or uuids', names: kind } },
    examples: [`${path} reconnect ${first}`, `${path} reconnect ${first} ${second}`],
    async run(cli, { name: names }) {
      const wharf = await cli.wharf()
      await forEachName(cli, names, {
        find: (name) => resolveRecord(wharf, kind, name),
        async act({ uuid, name }) {
          const { inventory } = await groupOf(wharf, kind).reconnect(uuid)
          return { message: `${name} is ${String(inventory.status)}.`, data: inventory }
        },
      })
    },
  })
