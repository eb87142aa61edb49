import type { Elaboration, Problem } from './elaboration.ts'
import { groupNames, placeholdersIn } from './placeholders.ts'

const names = ['category', 'code', 'regex', 'message_cn', 'message_en', 'source', 'method', 'distance', 'example']
/** People must be able to read a pattern, and compiling it must be quick. */
const maxPatternLength = 2048
const maxSentenceLength = 1024
const maxMessageLength = 4096
const maxQuotedLength = 1000

type Fields = Readonly<Record<string, unknown>>

export interface ReadEntries {
  /** Null for a text that is not a file. */
  readonly fileName: string | null
  readonly entries: readonly Elaboration[]
  readonly problems: readonly Problem[]
}

/** Reads a file of elaborations: a JSON list of entries with the field names of the API. */
export function readEntries(content: string, fileName: string | null): ReadEntries {
  const whole = (reason: string): ReadEntries => ({
    fileName,
    entries: [],
    problems: [{ fileName, content: null, reason }],
  })
  let list: unknown
  try {
    list = JSON.parse(content.replace(/^\ufeff/, ''))
  } catch (error) {
    return whole(`it is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(list)) return whole('it must be a JSON list of entries')
  const entries: Elaboration[] = []
  const problems: Problem[] = []
  for (const [index, value] of list.entries()) {
    const reason = faultOf(value)
    if (reason === undefined) entries.push(entryOf(value as Fields, fileName))
    else problems.push({ fileName, content: quoteEntry(value), reason: `entry ${index + 1}: ${reason}` })
  }
  return { fileName, entries, problems }
}

/** An entry as a problem quotes it. */
export const quoteEntry = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength).toWellFormed()}…` : text
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && isStorable(value)
const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\0')
const isPresent = (value: unknown): boolean => value !== undefined && value !== null

function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it must be a JSON object'
  const fields = value as Fields
  const unknown = Object.keys(fields).find((name) => !names.includes(name))
  if (unknown !== undefined) return `it has an unknown field ${JSON.stringify(unknown.slice(0, 64))}`
  const { category, code, regex, method, distance, source } = fields
  if (typeof category !== 'string' || !/^[A-Za-z][\w-]{0,63}$/.test(category) || category.toLowerCase() === 'all')
    return 'category must be a word of letters, digits, _ and -, and not all'
  if (!(typeof code === 'number' || typeof code === 'string') || !/^(0|[1-9]\d{0,8})$/.test(String(code)))
    return 'code must be a number, without its category'
  if (isPresent(source) && (!isText(source) || source.length > 255))
    return 'source must be a text of up to 255 characters'
  if (isPresent(distance)) return 'distance is computed; leave it out'
  if (isPresent(method) && method !== 'regex' && method !== 'distance') return 'method must be regex or distance'
  if (isPresent(method) && !isPresent(regex)) return `method is ${method}, but regex is missing`
  return faultOfRegex(fields) ?? faultOfMessages(fields)
}

function faultOfRegex({ regex, method, example }: Fields): string | undefined {
  if (isPresent(example) && !isText(example)) return 'example must be a text'
  if (!isPresent(regex)) return undefined
  if (!isText(regex)) return 'regex must be a text'
  const maxLength = method === 'distance' ? maxSentenceLength : maxPatternLength
  return regex.length > maxLength ? `regex may have at most ${maxLength} characters` : undefined
}

function faultOfMessages(fields: Fields): string | undefined {
  const messages = ['message_cn', 'message_en'].filter((name) => isPresent(fields[name]))
  if (messages.length === 0) return 'message_cn or message_en is required'
  const groups = fields.method === 'distance' || !isText(fields.regex) ? undefined : groupNames(fields.regex)
  for (const name of messages) {
    const message = fields[name]
    if (!isText(message) || message.length > maxMessageLength)
      return `${name} must be a text of up to ${maxMessageLength} characters`
    const missing = groups && placeholdersIn(message).find((placeholder) => !groups.includes(placeholder))
    if (missing !== undefined) return `${name} contains {${missing}}, but regex has no group of that name`
  }
  return undefined
}

function entryOf(fields: Fields, fileName: string | null): Elaboration {
  const textOf = (name: string): string | null => (isText(fields[name]) ? fields[name] : null)
  const regex = textOf('regex')
  return {
    category: String(fields.category),
    code: String(fields.code),
    regex,
    message_cn: textOf('message_cn'),
    message_en: textOf('message_en'),
    source: textOf('source') ?? fileName,
    method: regex === null ? null : fields.method === 'distance' ? 'distance' : 'regex',
    distance: null,
    example: textOf('example'),
  }
}
