import { pathParameters } from './operation.ts'

/** Path segments whose record has another name. */
const irregular: Record<string, string> = {
  accesskeys: 'accessKey',
  'api-jobs': 'job',
  chatapp: 'endpoint',
  install: 'softwarePackage',
  'maintenance-windows': 'window',
}

const singular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '')
const camelCase = (segment: string): string => segment.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Every name a client may repeat a path variable under, with the variable it means: for `/v1/hosts/{uuid}`
 * `uuid` itself and the long name `hostUuid`.
 */
export function pathVariableNames(path: string): ReadonlyMap<string, string> {
  const names = new Map(pathParameters(path).map((variable) => [variable, variable]))
  const [, segment] = /\/([\w-]+)\/\{uuid\}/.exec(path) ?? []
  if (segment !== undefined) names.set(`${irregular[segment] ?? camelCase(singular(segment))}Uuid`, 'uuid')
  return names
}
