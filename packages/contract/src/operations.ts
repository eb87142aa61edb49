import { commonErrors, type ErrorCode, jobErrors } from './errors.ts'
import type { Inventory, Method, Operation } from './operation.ts'
import * as resources from './resources.ts'

const declared = Object.values<unknown>(resources)

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null
const isOperation = (value: unknown): value is Operation => isRecord(value) && 'method' in value
const isInventory = (value: unknown): value is Inventory => isRecord(value) && 'schema' in value

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE']
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The whole API: every operation that a file in `resources.ts` exports. */
export const operations: readonly Operation[] = declared
  .filter(isOperation)
  .filter(({ aliasOf }) => aliasOf === undefined)
  .sort(
    (a, b) =>
      byText(a.resource, b.resource) ||
      byText(a.path, b.path) ||
      methods.indexOf(a.method) - methods.indexOf(b.method) ||
      byText(a.name, b.name),
  )

/** Former names of operations. */
export const aliases: readonly Operation[] = declared.filter(isOperation).filter(({ aliasOf }) => aliasOf !== undefined)

/** Every record the API publishes, by name. */
export const inventories: readonly Inventory[] = declared.filter(isInventory).sort((a, b) => byText(a.name, b.name))

const byName: ReadonlyMap<unknown, Inventory> = new Map(inventories.map((one) => [one.name, one]))

/** The records in an answer, at any depth: the schema of a record has its name as the title. */
export function inventoriesIn(schema: unknown): Inventory[] {
  if (!isRecord(schema)) return []
  const own = 'title' in schema ? byName.get(schema.title) : undefined
  return [...(own ? [own] : []), ...Object.values(schema).flatMap(inventoriesIn)]
}

const typesByOperation = new Map<string, string | undefined>()

/** The event type of the record that the path names or that the operation creates or returns; undefined without one. */
export function resourceTypeOf(operation: Operation): string | undefined {
  const { name } = operation
  if (!typesByOperation.has(name)) typesByOperation.set(name, findResourceType(operation))
  return typesByOperation.get(name)
}

function findResourceType(operation: Operation): string | undefined {
  const [collection = '', record] = operation.path.split('/{')
  const queried = (matches: (other: Operation) => boolean): string | undefined =>
    operations.find((other) => other.queries !== undefined && matches(other))?.queries?.events[0]
  const own = queried(({ path }) => path === collection) ?? typeOfAnswer(operation)
  if (own !== undefined || record === undefined) return own
  // a record that the operation does not return: of the operation that creates it, or else of its resource
  const creation = operations.find(({ method, path }) => method === 'POST' && path === collection)
  return (creation && typeOfAnswer(creation)) ?? queried(({ resource }) => resource === operation.resource)
}

const typeOfAnswer = ({ answer }: Operation): string | undefined =>
  inventoriesIn(answer).find(({ events }) => events.length > 0)?.events[0]

/** Every code that the operation can return: its own, those of any operation, of its method, of a job, of repeated jobs. */
export function errorsOf({ errors, method, mode, repeatable, repeatsJobs }: Operation): ErrorCode[] {
  const ofMethod: ErrorCode[] = method === 'GET' || repeatable === false ? [] : ['JOB.1002']
  const ofMode = mode === 'job' ? jobErrors : []
  const ofJobs = repeatsJobs ? operations.filter((other) => other.mode === 'job').flatMap(errorsOf) : []
  return [...new Set([...errors, ...ofJobs, ...ofMode, ...commonErrors, ...ofMethod])]
}
