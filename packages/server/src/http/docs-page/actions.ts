import type { Call, OpenApi, Response, Schema } from './document.ts'

/** Each operation separately, also those that share method and path. */
export const callsOf = (document: OpenApi): Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      actionsOf({ ...operation, method: method.toUpperCase(), path }),
    ),
  )

/** OpenAPI has one entry for operations that share method and path; the page documents each separately. */
function actionsOf(call: Call): Call[] {
  const { 'x-operations': actions, description: _, 'x-served': __, ...shared } = call
  if (actions === undefined) return [call]
  return actions.map(({ name, structure, ...own }) => {
    const isJob = own['x-timeout-seconds'] !== undefined
    return {
      ...shared,
      ...own,
      operationId: name.charAt(0).toLowerCase() + name.slice(1),
      parameters: (call.parameters ?? []).filter((given) => isJob || !isForJobs(given)),
      requestBody: { content: jsonOf(chosen(bodies(call), ({ properties }) => structure in (properties ?? {}), name)) },
      responses: {
        ...Object.fromEntries(Object.entries(call.responses).filter(([status]) => isJob || status !== '202')),
        200: { ...done(call), content: jsonOf(chosen(answers(call), ({ title }) => title === `${name}Answer`, name)) },
      },
    }
  })
}

const jsonOf = (schema: Schema) => ({ 'application/json': { schema } })
const done = ({ responses }: Call): Response => responses['200'] as Response
const bodies = (call: Call): readonly Schema[] => call.requestBody?.content['application/json']?.schema?.oneOf ?? []
const answers = (call: Call): readonly Schema[] => done(call).content?.['application/json']?.schema?.anyOf ?? []

/** These parameters apply only to jobs. */
const isForJobs = (parameter: object): boolean =>
  '$ref' in parameter && /\/(Prefer|ApiTimeout)$/.test(String(parameter.$ref))

function chosen(choices: readonly Schema[], isIt: (choice: Schema) => boolean, name: string): Schema {
  const found = choices.find(isIt)
  if (found === undefined) throw new Error(`the OpenAPI document names ${name} among actions, but does not describe it`)
  return found
}
