import { type Problem, type Problems, problemsOf } from '../../../features/config-form/config-problems.ts'
import type { JsonSchema } from '../../../features/config-form/json-schema.ts'

/** The rules for texts, which a template can only fulfil once it is rendered. */
const textRules: readonly Problem['rule'][] = ['minLength', 'maxLength', 'pattern']

const isTemplate = (value: unknown): boolean => typeof value === 'string' && /\{\{|\{%/.test(value)

/** The problems of a configuration whose texts may be templates: the server checks those for each host. */
export function templateProblems(value: unknown, schema: JsonSchema): Problems {
  return new Map(
    [...problemsOf(value, schema)].filter(
      ([path, { rule }]) => !(textRules.includes(rule) && isTemplate(valueAt(value, path))),
    ),
  )
}

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
      value,
    )
