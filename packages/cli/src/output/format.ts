import { UsageError } from '../errors.ts'

export const forms = ['table', 'wide', 'json', 'ndjson', 'yaml', 'name'] as const
export type Form = (typeof forms)[number] | 'jsonpath'

const jsonPathPrefix = 'jsonpath='
/** What -o accepts, for the help and the completion. */
export const formNames = [...forms, jsonPathPrefix] as const

export interface Format {
  readonly form: Form
  /** The text of a value, for forms that need a library. */
  readonly textOf?: (value: unknown) => string
}

export const tableFormat: Format = { form: 'table' }

/** Parses -o; loads what only this form needs. */
export async function loadFormat(name: string): Promise<Format> {
  if (name.startsWith(jsonPathPrefix)) {
    const { compileJsonPath } = await import('./json-path.ts')
    return { form: 'jsonpath', textOf: compileJsonPath(name.slice(jsonPathPrefix.length)) }
  }
  const form = forms.find((known) => known === name)
  if (form === undefined) throw new UsageError(`invalid -o ${name}: use ${forms.join(', ')} or jsonpath=TEMPLATE`)
  return form === 'yaml' ? { form, textOf: (await import('./yaml-text.ts')).yamlText } : { form }
}
