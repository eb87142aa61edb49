import { inventory, operation } from './operation.ts'
import { Choice, Double, Long, Name, optional, orNull, Text, Verbatim } from './schema.ts'
import { Type } from './type.ts'

const since = '3.3.0'
const ours = 'wharf-1.0.0'
const resource = 'elaborations'

export const ElaborationContent = inventory({
  name: 'ElaborationContent',
  since,
  events: [],
  fields: {
    category: Name(),
    code: Name({ description: 'The number without its category' }),
    regex: orNull(Verbatim(16_384, { description: 'The pattern or the sentence that it explains' })),
    message_cn: orNull(Text(16_384)),
    message_en: orNull(Text(16_384)),
    source: orNull(Name({ description: 'Who wrote it' })),
    method: orNull(
      Choice(['regex', 'distance'], {
        since: '3.6.0',
        description: 'Matched by pattern or by similarity to a sentence; null when matched by keyword',
      }),
    ),
    distance: orNull(
      Double({ since: '3.6.0', description: 'The similarity, where 1 is equal; null unless matched by similarity' }),
    ),
  },
})

export const getElaborations = operation({
  name: 'GetElaborations',
  client: 'elaborations.find',
  resource,
  method: 'GET',
  path: '/v1/errorcode/elaborations',
  summary: 'Explain an error text, search the explanations, or get them by error code',
  since,
  permission: 'read',
  fields: {
    category: optional(Name({ description: 'Such as SYS; not case-sensitive' })),
    regex: optional(
      Verbatim(16_384, { description: 'The text to explain, or keywords to search for; code is then ignored' }),
    ),
    code: optional(Name({ since: '3.6.0', description: '1001 with a category, or SYS.1001' })),
  },
  // unbounded: as many as operators have written
  answer: { contents: Type.Array(ElaborationContent.schema) },
  errors: ['SYS.1001'],
})

export const ElaborationCategory = inventory({
  name: 'ElaborationCategory',
  since: ours,
  events: [],
  fields: {
    category: Name(),
    num: Long({ description: 'The number of elaborations' }),
  },
})

export const getElaborationCategories = operation({
  name: 'GetElaborationCategories',
  client: 'elaborations.categories',
  resource,
  method: 'GET',
  path: '/v1/errorcode/elaborations/categories',
  summary: 'List the categories that have elaborations',
  since: ours,
  permission: 'read',
  fields: {},
  answer: { categories: Type.Array(ElaborationCategory.schema) },
})

export const ElaborationProblem = inventory({
  name: 'ElaborationProblem',
  since: ours,
  events: [],
  fields: {
    fileName: orNull(Name({ description: 'Null when the content was sent in the call' })),
    content: orNull(
      Verbatim(1024, { description: 'The entry, shortened; null when the problem concerns the whole file' }),
    ),
    reason: Text(2048),
  },
})

/** The largest that fits into a request body. */
const maxContentLength = 256 * 1024

export const checkElaborationContent = operation({
  name: 'CheckElaborationContent',
  client: 'elaborations.check',
  resource,
  method: 'POST',
  path: '/v1/errorcode/elaborations/check',
  structure: 'params',
  summary: 'Validate elaborations before they are installed',
  since: ours,
  permission: 'operate',
  changes: false,
  fields: {
    elaborateContent: optional(Verbatim(maxContentLength, { description: 'A file of elaborations: JSON' })),
    elaborateFile: optional(Text(1024, { description: 'Not supported: send the content' })),
  },
  // unbounded: one per problem
  answer: { results: Type.Array(ElaborationProblem.schema) },
  repeatable: false,
})

export const reloadElaboration = operation({
  name: 'ReloadElaboration',
  client: 'elaborations.reload',
  resource,
  method: 'PUT',
  path: '/v1/errorcode/actions',
  structure: 'reloadElaboration',
  summary: 'Reload the files of WHARF_ELABORATIONS on the node that answers; all of them or none',
  since: ours,
  permission: 'administer',
  fields: {},
  answer: {},
  errors: ['SYS.1006', 'SYS.1016'],
})
