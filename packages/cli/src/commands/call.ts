import type { Operation } from '@wharf/contract'
import type { CallableOperation } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { reportTruncation } from '../list-command.ts'
import { type NamedKind, namedKinds } from '../names/record-kinds.ts'
import { resolveUuid } from '../names/resolve-record.ts'
import { suggestion } from '../names/similar.ts'
import { jobOptions, runOperation } from '../run-operation.ts'
import { operationFields } from './call/operation-fields.ts'
import { parseFields } from './call/parse-fields.ts'

/** Derived from the contract, so that new operations need no code here. */
export const call = command({
  name: 'call',
  summary: 'Call any API operation by its name',
  more: 'Pass fields as field=value; repeat a field for a list. field@file reads the value from a file, field@- from stdin. Without an operation, lists all operations; with --describe, shows the fields of one.',
  arguments: {
    '[operation]': { help: 'such as hosts.changeState' },
    '[fields...]': { help: 'field=value; uuid= also accepts a name' },
  },
  options: { '--describe': { help: 'show the fields of the operation without calling it' }, ...jobOptions },
  examples: [
    'call',
    'call hosts.changeState --describe',
    'call hosts.changeState uuid=web-1 stateEvent=disable',
    'call tags.create name=blue color=#2563eb',
  ],
  async run(cli, { operation: name, fields = [] }, { describe, ...jobFlags }) {
    const { aliases, operations, pathParameters } = await import('@wharf/contract')
    const isCallable = (operation: Operation): operation is CallableOperation => operation.client !== null
    if (name === undefined) return list(cli, operations.filter(isCallable))
    const operation = [...operations, ...aliases]
      .filter(isCallable)
      .find((candidate) => candidate.client === name || candidate.name === name)
    if (operation === undefined) {
      const known = operations.filter(isCallable).flatMap(({ client, name }) => [client, name])
      throw new UsageError(`no operation ${name}`, suggestion(name, known) ?? 'list the operations with wharf call')
    }
    if (describe) return showFields(cli, operation)
    const input = await parseFields(cli, operation, fields)
    const missing = pathParameters(operation.path).filter((field) => !input[field])
    if (missing.length > 0)
      throw new UsageError(
        `${operation.client} requires ${missing.map((field) => `${field}=…`).join(' ')}`,
        `show its fields with wharf call ${operation.client} --describe`,
      )
    const withUuid = { ...input, ...(await uuidIn(cli, operation, input)) }
    // the server validates the input against the same contract
    const counted = isUnlimitedQuery(operation, input) ? { ...withUuid, replyWithCount: true } : withUuid
    const answer = await runOperation(cli, operation, counted as never, { ...jobFlags, label: operation.name })
    if (answer === undefined) return
    if (counted === withUuid) return show(cli, answer)
    const { total, ...requested } = answer as { total?: number; inventories?: readonly object[] }
    show(cli, requested)
    reportTruncation(cli, { ...requested, ...(total === undefined ? {} : { total }) }, 'limit=COUNT')
  },
})

/** A query with the server's default limit. */
const isUnlimitedQuery = ({ fields }: Operation, input: Record<string, unknown>): boolean =>
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

async function showFields(cli: Cli, operation: Operation): Promise<void> {
  const fields = await operationFields(operation)
  cli.info(`${operation.summary} (${operation.method} ${operation.path})`)
  cli.out.list(
    fields.map(({ values: _, ...shown }) => shown),
    ['field', 'type', 'required', 'meaning'],
  )
}

/** Resolves a name in place of the uuid, if the records of the group have names. */
async function uuidIn(
  cli: Cli,
  { client, path }: CallableOperation,
  { uuid }: Record<string, unknown>,
): Promise<object> {
  const [group = ''] = client.split('.')
  if (typeof uuid !== 'string' || !path.includes('{uuid}') || !Object.hasOwn(namedKinds, group)) return {}
  return { uuid: await resolveUuid(await cli.wharf(), group as NamedKind, uuid) }
}

/** Prints the records alone if the answer contains nothing else. */
function show(cli: Cli, answer: object): void {
  const { out } = cli
  const { inventory, inventories } = answer as { inventory?: object; inventories?: readonly object[] }
  const isAlone = Object.keys(answer).length === 1
  if (inventories?.length === 0) cli.info('No records.')
  if (Object.keys(answer).length === 0) cli.info('Done.')
  if (inventories !== undefined && isAlone) out.list(inventories, Object.keys(inventories[0] ?? {}))
  else out.record((isAlone && inventory) || answer)
}
