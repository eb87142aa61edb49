import { groupBy } from './group-by.ts'
import { operationId, ownWords, security } from './openapi-operations.ts'
import { parameters, structured } from './openapi-requests.ts'
import { answerOf, isAccepted, outcomes } from './openapi-responses.ts'
import type { Json } from './openapi-schemas.ts'
import { type Operation, permissions } from './operation.ts'
import { errorsOf } from './operations.ts'

/** Parts are compared as numbers, 4.9 before 4.10, and versions of the specification before those of Wharf (`wharf-…`). */
export const olderFirst = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

export type Actions = readonly [Operation, ...Operation[]]

/**
 * Actions share method and path, so OpenAPI knows them as one operation: a body of one of several structures, an answer
 * of one of several kinds. `x-operations` describes each separately.
 */
export function describedActions(actions: Actions, served: (action: Operation) => boolean): Json {
  const names = actions.map(({ name }) => name)
  const [oldest = actions[0]] = actions.toSorted((a, b) => olderFirst(a.since, b.since))
  return {
    operationId: operationId(names.join('Or')),
    summary: names.join(' or '),
    description: descriptionOf(actions),
    tags: [oldest.resource],
    ...security(oldest),
    parameters: unitedParameters([oldest, ...actions]),
    requestBody: { required: true, content: { 'application/json': { schema: { oneOf: actions.map(request) } } } },
    responses: outcomes({ anyOf: actions.map(answer) }, actions.some(isAccepted), actions.flatMap(errorsOf)),
    'x-since': oldest.since,
    // a caller without this permission is rejected before the body is read
    'x-permission': permissions.find((permission) => actions.some((action) => action.permission === permission)),
    'x-errors': [...new Set(actions.flatMap(errorsOf))],
    ...(actions.some(served) ? {} : { 'x-served': false }),
    'x-operations': actions.map((action) => ({
      name: action.name,
      structure: action.structure,
      summary: action.summary,
      ...ownWords(action, served(action)),
    })),
  }
}

const descriptionOf = (actions: Actions): string =>
  [
    'The structure in the body selects the operation:\n',
    ...actions.map(({ structure, name, summary }) => `- \`${structure}\` (${name}): ${summary}`),
  ].join('\n')

/** The structure is required even when all its fields are optional: it selects the action. */
const request = (action: Operation): Json => ({ title: action.name, ...structured(action, 'always') })

const answer = (action: Operation): Json => ({ title: `${action.name}Answer`, ...answerOf(action) })

/** The first of each: path and headers have the same meaning for all. */
function unitedParameters(actions: Actions): Json[] {
  const key = ({ $ref, in: place, name }: Json): string => String($ref ?? `${place} ${name}`)
  const byKey = groupBy(actions.flatMap(parameters), key)
  return [...byKey.values()].flatMap((same) => same.slice(0, 1))
}
