import { withDeadline } from './deadline.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'
import { languageOf } from './language.ts'
import { type Colours, coloursFor } from './output/colours.ts'
import { printable, printableLines } from './output/printable.ts'
import { certificateRemedies } from './settings/certificates.ts'

interface ErrorFields {
  readonly name?: string
  readonly message: string
  readonly hint?: string | undefined
  readonly code?: string
  readonly description?: string
  readonly details?: string
  readonly isWrongCredential?: boolean
  readonly requestId?: string
  readonly jobUuid?: string
  readonly cause?: ErrorFields | undefined
  readonly stack?: string
  elaboration?(language: 'en' | 'zh'): Promise<{ text: string } | undefined>
}

interface ErrorContext {
  readonly io: Io
  /** The command that the user ran, such as `wharf host disable`. */
  readonly command: string
}

const labels = {
  en: { hint: 'Hint', cause: 'cause', request: 'request', job: 'job' },
  zh: { hint: '原因与处理办法', cause: '原因', request: '请求', job: '任务' },
} as const

/** The server cannot explain these errors: it would refuse the credential again. */
const signInHints: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  'ID.1000': {
    en: 'The name and password, or the access key and secret, do not match; or the clock of this machine is wrong. Sign in again with wharf login, or diagnose with wharf doctor.',
    zh: '服务器不认可该用户名与密码，或该访问密钥与其密文；也可能是本机时钟不准。请用 wharf login 重新登录，wharf doctor 可查明原因。',
  },
  'ID.1001': {
    en: 'The session has expired or belongs to another server. Sign in again with wharf login, or diagnose with wharf doctor.',
    zh: '会话已结束，或属于另一台服务器。请用 wharf login 重新登录，wharf doctor 可查明原因。',
  },
  'ID.1003': {
    en: 'Too many failed attempts; the server accepts no more for a while. Wait some minutes, then sign in with wharf login, or diagnose with wharf doctor.',
    zh: '失败次数过多，服务器暂不接受新的尝试。请等待几分钟，再用 wharf login 登录，wharf doctor 可查明原因。',
  },
}

/** The user has already waited for the failure. */
const elaborationMs = 3000

/** Of the SDK, which is not loaded here. */
const expectedErrors = ['ConnectionError', 'UploadError']

/** The text of an error: what failed, why, and the remedy. */
export async function formatError(thrown: unknown, { io, command }: ErrorContext): Promise<string> {
  const error = thrown as ErrorFields
  const colours = coloursFor(io.stderr, io.env)
  if (error.name === 'Interrupted') return error.message
  if (error.name === 'WharfError') return formatWharfError(error, { io, command }, colours)
  const isSystemError = /^E[A-Z]+$/.test(String(error.code))
  // any other error is a bug: its stack trace belongs in the report
  const isExpected = thrown instanceof CommandError || expectedErrors.includes(error.name ?? '') || isSystemError
  const message = isExpected ? error.message : (error.stack ?? String(thrown))
  const hint = error.hint ?? (error.name === 'ConnectionError' ? connectionHint(error) : undefined)
  return [`${colours.red('error:')} ${printableLines(message)}`, ...(hint ? [`  ${hint}`] : [])].join('\n')
}

/** The reason is a cause of the cause: fetch only reports that it failed. */
function connectionHint(error: ErrorFields): string {
  for (let cause = error.cause; cause !== undefined; cause = cause.cause) {
    const remedy = certificateRemedies[cause.code ?? '']
    if (remedy !== undefined) return remedy
  }
  return 'diagnose with wharf doctor'
}

async function formatWharfError(error: ErrorFields, { io, command }: ErrorContext, colours: Colours): Promise<string> {
  const language = languageOf(io.env)
  const label = labels[language]
  const lines = [
    `${colours.red('error:')} ${command} failed: ${error.code} ${printable(error.description ?? '')}`,
    ...detailsOf(error),
  ]
  for (let cause = error.cause, depth = 0; cause?.code !== undefined && depth < 5; cause = cause.cause, depth++) {
    lines.push(`  ${label.cause}: ${cause.code} ${printable(cause.description ?? '')}`, ...detailsOf(cause))
  }
  const hint = await hintFor(error, language)
  if (hint !== undefined) lines.push(`  ${colours.yellow(`${label.hint}:`)} ${indented(hint)}`)
  const references = [
    ...(error.requestId === undefined ? [] : [`${label.request} ${error.requestId}`]),
    ...(error.jobUuid === undefined ? [] : [`${label.job} ${error.jobUuid} (wharf job log ${error.jobUuid})`]),
  ]
  if (references.length > 0) lines.push(`  ${colours.dim(references.join(', '))}`)
  return lines.join('\n')
}

/** Without the request id, which has its own line. */
function detailsOf({ details }: ErrorFields): string[] {
  const text = indented((details ?? '').replace(/ \(request \w+\)$/, ''))
  return text === '' ? [] : [`  ${text}`]
}

const indented = (text: string): string => printableLines(text.trimEnd()).replaceAll('\n', '\n  ')

async function hintFor(error: ErrorFields, language: 'en' | 'zh'): Promise<string | undefined> {
  const signInHint = signInHints[error.code ?? '']
  // otherwise the details name the remedy, such as a new key for an expired one
  if (error.code === 'ID.1000' && !error.isWrongCredential) return undefined
  if (signInHint !== undefined) return signInHint[language]
  return (await withDeadline(error.elaboration?.(language), elaborationMs))?.text
}
