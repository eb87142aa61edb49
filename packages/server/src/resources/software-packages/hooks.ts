import { parseDuration } from '@wharf/archives/duration.ts'
import type { PackageHook } from '@wharf/archives/manifest.ts'
import { Deadline } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobContext } from '../../jobs/definition.ts'
import type { HookFile, HostDriver } from '../hosts/driver.ts'
import { LastLines, readHookLine } from './hook-lines.ts'
import type { PackageRow } from './store.ts'

interface HookRun {
  readonly driver: HostDriver
  readonly hook: PackageHook
  /** install, verify, uninstall …, for the log and errors. */
  readonly name: string
  /** The unpacked folder that contains wharf.json. */
  readonly folder: string
  /** JSON on standard input, so that secrets show neither in ps nor in the environment. */
  readonly input: object
  readonly files?: readonly HookFile[]
  /** Hooks of one subject do not run at the same time; absent: the subject of the job. */
  readonly subject?: string | undefined
  /** The secret field of its result. The hook may print it before the result, so its output is logged at its end. */
  readonly secretResult?: string | undefined
}

/** Hooks that change nothing; their failure may be temporary, so the next owner of the job runs them again. */
const queries = new Set(['verify', 'cluster.check'])

/** The output that is buffered until the end of a hook; a program that creates a secret prints little. */
const maxBufferedLines = 1000

/** The folder that contains wharf.json, in which the hooks run. */
export const folderOf = ({ unzipInstallPath, topFolder }: PackageRow): string =>
  topFolder === null ? (unzipInstallPath ?? '') : `${unzipInstallPath}/${topFolder}`

/** What a hook needs of its job. */
export type HookContext = Pick<JobContext, 'jobUuid' | 'signal' | 'log' | 'progress' | 'maskLine' | 'conceal'>

/** Runs one of the package's programs on its host and writes its output to the job's log. */
export async function runHook(
  context: HookContext,
  { driver, hook, name, folder, input, files = [], subject, secretResult }: HookRun,
): Promise<object> {
  const buffered: string[] = []
  const lastLines = new LastLines({ mask: context.maskLine })
  let result: object = {}
  const onLine = (line: string): void => {
    const read = readHookLine(line)
    if (read.kind === 'progress') context.progress(read.percent)
    if (read.kind === 'result') {
      result = read.value
      return
    }
    const output = read.kind === 'progress' ? `${read.percent}% ${read.text}` : line
    lastLines.add(output)
    if (secretResult === undefined) context.log(output)
    else if (buffered.length < maxBufferedLines) buffered.push(output)
  }
  const logBuffered = (): void => {
    const secret = secretResult === undefined ? undefined : (result as Record<string, unknown>)[secretResult]
    if (typeof secret === 'string') context.conceal(secret)
    for (const line of buffered.splice(0)) context.log(line)
  }
  const deadlineError = new ApiError('SYS.1001', `the package's ${name} did not end within ${hook.timeout}`)
  using deadline = hook.timeout ? new Deadline(context.signal, parseDuration(hook.timeout), deadlineError) : undefined
  try {
    const { exitCode, isKept } = await driver.run(hook.run as [string, ...string[]], {
      hook: { name, subject, files, isRunAgain: secretResult !== undefined || queries.has(name) },
      folder,
      input: JSON.stringify(input),
      environment: { WHARF_PACKAGE_DIR: folder, WHARF_JOB_UUID: context.jobUuid },
      signal: deadline?.signal ?? context.signal,
      onLine,
    })
    logBuffered()
    if (isKept)
      context.log(
        `the package's ${name} ended with exit code ${exitCode} while the host was not connected and is not run again; what it printed meanwhile is lost`,
      )
    if (exitCode === 0) return result
    if (isKept)
      throw new ApiError(
        'SoftwarePackage.1300',
        `the package's ${name} ended with exit code ${exitCode} while the host was not connected: the job log has its output until then, the rest is lost`,
      )
    throw new ApiError('SoftwarePackage.1300', `the package's ${name} ended with exit code ${exitCode}: ${lastLines}`)
  } finally {
    logBuffered()
  }
}
