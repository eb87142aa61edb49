import type { Operation } from '@wharf/contract'
import type { CallableOperation } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { reportCut } from '../listing.ts'
import { type NamedKind, namedKinds } from '../names/kinds.ts'
import { resolveUuid } from '../names/resolve.ts'
import { UsageError } from '../refusals.ts'
import { perform, waitingOptions } from '../waiting.ts'
import { fieldsFrom } from './call/fields.ts'

/** Made from the contract alone, so that an operation is here as soon as it is declared. */
export const call = command({
  name: 'call',
  summary: 'Call any operation of the API by its name',
  more: 'Fields are given as field=value, lists by giving a field several times, and field@file reads the value from a file (field@- from standard input). Without an operation it lists them all; with --describe it tells the fields of one.',
  arguments: {
    '[operation]': { help: 'such as hosts.changeState' },
    '[fields...]': { help: 'field=value; uuid= takes a name as well' },
  },
  options: { '--describe': { help: 'tell what the operation takes, without calling it' }, ...waitingOptions },
  examples: [
    'call',
    'call hosts.changeState --describe',
    'call hosts.changeState uuid=web-1 stateEvent=disable',
    'call tags.create name=blue color=#2563eb',
  ],
  async run(cli, { operation: name, fields = [] }, { describe, ...waiting }) {
    const { operations, pathParameters } = await import('@wharf/contract')
    const callable = operations.filter((one): one is CallableOperation => one.client !== null)
    if (name === undefined) return list(cli, callable)
    const operation = callable.find((one) => one.client === name || one.name === name)
    if (operation === undefined) throw new UsageError(`there is no operation ${name}`, 'wharf call lists them')
    if (describe) return tell(cli, operation)
    const input = await fieldsFrom(cli, operation, fields)
    const missing = pathParameters(operation.path).filter((field) => !input[field])
    if (missing.length > 0)
      throw new UsageError(
        `${operation.client} needs ${missing.map((field) => `${field}=…`).join(' ')}`,
        `wharf call ${operation.client} --describe`,
      )
    const withUuid = { ...input, ...(await uuidIn(cli, operation, input)) }
    // what may be sent is checked by the server, which knows the same contract
    const counted = isOpenQuery(operation, input) ? { ...withUuid, replyWithCount: true } : withUuid
    const answer = await perform(cli, operation, counted as never, { ...waiting, label: operation.name })
    if (answer === undefined) return
    if (counted === withUuid) return show(cli, answer)
    const { total, ...asked } = answer as { total?: number; inventories?: readonly object[] }
    show(cli, asked)
    reportCut(cli, { ...asked, ...(total === undefined ? {} : { total }) }, 'limit=COUNT')
  },
})

/** A query that the server limits, and nobody else. */
const isOpenQuery = ({ fields }: Operation, input: Record<string, unknown>): boolean =>
  'replyWithCount' in fields && !['limit', 'count', 'replyWithCount'].some((name) => name in input)

function list(cli: Cli, callable: readonly CallableOperation[]): void {
  const rows = callable.map(({ client, permission, mode, summary }) => ({
    operation: client,
    permission,
    mode,
    summary,
  }))
  cli.out.list(
    rows.sort((a, b) => (a.operation < b.operation ? -1 : 1)),
    ['operation', 'permission', 'mode', 'summary'],
  )
}

async function tell(cli: Cli, operation: Operation): Promise<void> {
  const { isOptional, pathParameters } = await import('@wharf/contract')
  const path = pathParameters(operation.path).map((field) => ({
    field,
    type: 'string',
    required: true,
    meaning: 'which one',
  }))
  const fields = Object.entries(operation.fields as Record<string, FieldSchema>).map(([field, schema]) => ({
    field,
    type: schema.enum?.join('|') ?? schema.type ?? '',
    required: !isOptional(schema),
    meaning: schema.description ?? '',
  }))
  cli.say(`${operation.summary} (${operation.method} ${operation.path})`)
  cli.out.list([...path, ...fields], ['field', 'type', 'required', 'meaning'])
}

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
}

/** The variable of the path may be a name, where the records of the group have names. */
async function uuidIn(
  cli: Cli,
  { client, path }: CallableOperation,
  { uuid }: Record<string, unknown>,
): Promise<object> {
  const [group = ''] = client.split('.')
  if (typeof uuid !== 'string' || !path.includes('{uuid}') || !Object.hasOwn(namedKinds, group)) return {}
  return { uuid: await resolveUuid(await cli.wharf(), group as NamedKind, uuid) }
}

/** The records, where the answer is made of nothing else. */
function show(cli: Cli, answer: object): void {
  const { out } = cli
  const { inventory, inventories } = answer as { inventory?: object; inventories?: readonly object[] }
  const isAlone = Object.keys(answer).length === 1
  if (inventories?.length === 0) cli.say('There are none.')
  if (Object.keys(answer).length === 0) cli.say('Done.')
  if (inventories !== undefined && isAlone) out.list(inventories, Object.keys(inventories[0] ?? {}))
  else out.record((isAlone && inventory) || answer)
}
