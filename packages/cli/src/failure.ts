import type { Io } from './io.ts'
import { languageOf } from './language.ts'
import { type Colours, coloursFor } from './output/colours.ts'
import { printable, printableLines } from './output/printable.ts'
import { certificateRemedies } from './settings/certificates.ts'
import { signInWords } from './sign-in-words.ts'

interface Telling {
  readonly name?: string
  readonly message: string
  readonly hint?: string | undefined
  readonly code?: string
  readonly description?: string
  readonly details?: string
  readonly requestId?: string
  readonly jobUuid?: string
  readonly cause?: Telling | undefined
  readonly stack?: string
  elaboration?(language: 'en' | 'zh'): Promise<{ text: string } | undefined>
}

interface Failed {
  readonly io: Io
  /** `wharf host disable`: what the user called, whatever the operation behind it is named. */
  readonly command: string
}

const words = {
  en: { why: 'Why, and what to do', caused: 'because', request: 'request', job: 'job' },
  zh: { why: '原因与处理办法', caused: '原因', request: '请求', job: '任务' },
} as const

/** Whoever waits for an explanation has already waited for a failure. */
const explainMs = 3000

/** What went wrong, why that usually is, and what to do about it. */
export async function failureText(error: unknown, { io, command }: Failed): Promise<string> {
  const telling = error as Telling
  const colours = coloursFor(io.stderr, io.env)
  // Ctrl-C is no error: what follows is told as it is
  if (telling.name === 'Interrupted') return telling.message
  if (telling.name === 'WharfError') return refused(telling, { io, command }, colours)
  const isOurs = ['ConnectionError', 'UploadError', 'Refusal', 'UsageError', 'NotSignedIn'].includes(telling.name ?? '')
  const isFromSystem = /^E[A-Z]+$/.test(String(telling.code))
  // anything else is a fault of this program: its trace is for a report
  const message = isOurs || isFromSystem ? telling.message : (telling.stack ?? String(error))
  const hint = telling.hint ?? (telling.name === 'ConnectionError' ? connectionHint(telling) : undefined)
  return [`${colours.red('error:')} ${printableLines(message)}`, ...(hint ? [`  ${hint}`] : [])].join('\n')
}

/** The reason is a cause of the cause: fetch only reports that it failed. */
function connectionHint(error: Telling): string {
  for (let cause = error.cause; cause !== undefined; cause = cause.cause) {
    const remedy = certificateRemedies[cause.code ?? '']
    if (remedy !== undefined) return remedy
  }
  return 'wharf doctor finds out more'
}

async function refused(error: Telling, { io, command }: Failed, colours: Colours): Promise<string> {
  const language = languageOf(io.env)
  const say = words[language]
  const lines = [
    `${colours.red('error:')} ${command} failed: ${error.code} ${printable(error.description ?? '')}`,
    ...detailsOf(error),
  ]
  for (let cause = error.cause, depth = 0; cause?.code !== undefined && depth < 5; cause = cause.cause, depth++) {
    lines.push(`  ${say.caused}: ${cause.code} ${printable(cause.description ?? '')}`, ...detailsOf(cause))
  }
  const explained = await explanation(error, language)
  if (explained !== undefined) lines.push(`  ${colours.yellow(`${say.why}:`)} ${indented(explained)}`)
  const known = [
    ...(error.requestId === undefined ? [] : [`${say.request} ${error.requestId}`]),
    ...(error.jobUuid === undefined ? [] : [`${say.job} ${error.jobUuid} (wharf job log ${error.jobUuid})`]),
  ]
  if (known.length > 0) lines.push(`  ${colours.dim(known.join(', '))}`)
  return lines.join('\n')
}

/** The request stands on a line of its own. */
function detailsOf({ details }: Telling): string[] {
  const text = indented((details ?? '').replace(/ \(request \w+\)$/, ''))
  return text === '' ? [] : [`  ${text}`]
}

const indented = (text: string): string => printableLines(text.trimEnd()).replaceAll('\n', '\n  ')

async function explanation(error: Telling, language: 'en' | 'zh'): Promise<string | undefined> {
  const own = signInWords[error.code ?? '']
  if (own !== undefined) return own[language]
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, explainMs, undefined).unref())
  return (await Promise.race([error.elaboration?.(language), late]))?.text
}
