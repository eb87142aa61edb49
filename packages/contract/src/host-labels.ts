import { Text } from './schema.ts'
import { Type } from './type.ts'

export const maxLabels = 64
export const maxLabelValueLength = 255

export const labelNamePattern = '^[a-z0-9][a-z0-9._/-]{0,62}$'
const labelName = new RegExp(labelNamePattern)

/** What a label name may be, for error texts. */
export const labelNameRule = 'a to z, 0 to 9 and . _ / -, at most 63 characters, first a letter or digit'

export const isLabelName = (text: string): boolean => labelName.test(text)

export const LabelName = (description?: string) =>
  Text(63, { pattern: labelNamePattern, ...(description === undefined ? {} : { description }) })

/** The labels of a host by name. */
export const Labels = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    maxProperties: maxLabels,
    propertyNames: { pattern: labelNamePattern },
    additionalProperties: { type: 'string', maxLength: maxLabelValueLength },
    'x-since': 'wharf-1.1.0',
    description,
  })
