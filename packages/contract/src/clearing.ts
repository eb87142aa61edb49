import { Choice, List, optional } from './schema.ts'

/** An empty string means absent, so an update names the fields that it is to empty. */
export const clearable = <const V extends readonly string[]>(...names: V) => ({
  clear: optional(
    List(Choice(names), { since: 'wharf-1.1.0', description: 'Fields to empty; an empty string would mean absent' }),
  ),
})
