import { Type } from 'typebox'
import { inventory, operation } from './operation.ts'
import { Choice, Double, Name, optional, orNull, Text, Verbatim } from './schema.ts'

const since = '3.3.0'

export const ElaborationContent = inventory('ElaborationContent', since, {
  category: Name(),
  code: Name({ description: 'The number alone, without its category' }),
  regex: orNull(Verbatim(16_384, { description: 'The pattern or the sentence that it explains' })),
  message_cn: orNull(Text(16_384)),
  message_en: orNull(Text(16_384)),
  source: orNull(Name({ description: 'Who wrote it' })),
  method: orNull(
    Choice(['regex', 'distance'], { since: '3.6.0', description: 'By pattern, or by likeness to a sentence' }),
  ),
  distance: orNull(Double({ since: '3.6.0', description: 'The likeness, 1 being equal; null unless that found it' })),
})

export const getElaborations = operation({
  name: 'GetElaborations',
  resource: 'elaborations',
  method: 'GET',
  path: '/v1/errorcode/elaborations',
  summary: 'Explain an error text, or look error codes up',
  since,
  permission: 'read',
  fields: {
    category: optional(Name({ description: 'Such as SYS; upper and lower case are the same' })),
    regex: optional(Verbatim(16_384, { description: 'The text to explain; then code is ignored' })),
    code: optional(Name({ since: '3.6.0', description: '1001 beside a category, or SYS.1001' })),
  },
  // as many as operators have written: no bound of ours
  answer: { contents: Type.Array(ElaborationContent.schema) },
})
