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
  /** install, verify, uninstall …: what to call it in words. */
  readonly name: string
  /** The unpacked folder that wharf.json stands in. */
  readonly folder: string
  /** JSON on standard input, so that secrets show neither in ps nor in the environment. */
  readonly input: object
  readonly files?: readonly HookFile[]
  /** Whose hooks do not run at the same time; absent for the subject of the job. */
  readonly subject?: string | undefined
  /** The field of its result that is a secret. It may print that before it is known: its output is logged when it ends. */
  readonly secretResult?: string | undefined
}

/** They change nothing, and a failure may be over when the next owner of the job runs them. */
const queries = new Set(['verify', 'cluster.check'])

/** Of the output that is held back; a program that creates a secret has little to report. */
const maxHeldLines = 1000

/** The folder that wharf.json stands in, where the hooks run. */
export const folderOf = ({ unzipInstallPath, topFolder }: PackageRow): string =>
  topFolder === null ? (unzipInstallPath ?? '') : `${unzipInstallPath}/${topFolder}`

/** Runs one of the package's programs on its host; its output goes to the job's log. */
export async function runHook(
  context: JobContext,
  { driver, hook, name, folder, input, files = [], subject, secretResult }: HookRun,
): Promise<object> {
  const held: string[] = []
  const said = new LastLines({ mask: context.maskLine })
  let result: object = {}
  const onLine = (line: string): void => {
    const read = readHookLine(line)
    if (read.kind === 'progress') context.progress(read.percent)
    if (read.kind === 'result') {
      result = read.value
      return
    }
    const told = read.kind === 'progress' ? `${read.percent} % ${read.text}` : line
    said.add(told)
    if (secretResult === undefined) context.log(told)
    else if (held.length < maxHeldLines) held.push(told)
  }
  const logHeld = (): void => {
    const secret = secretResult === undefined ? undefined : (result as Record<string, unknown>)[secretResult]
    if (typeof secret === 'string') context.conceal(secret)
    for (const line of held.splice(0)) context.log(line)
  }
  const late = new ApiError('SYS.1001', `the package's ${name} did not end within ${hook.timeout}`)
  using deadline = hook.timeout ? new Deadline(context.signal, parseDuration(hook.timeout), late) : undefined
  try {
    const { exitCode, isKept } = await driver.run(hook.run as [string, ...string[]], {
      hook: { name, subject, files, isRunAgain: secretResult !== undefined || queries.has(name) },
      folder,
      input: JSON.stringify(input),
      environment: { WHARF_PACKAGE_DIR: folder, WHARF_JOB_UUID: context.jobUuid },
      signal: deadline?.signal ?? context.signal,
      onLine,
    })
    logHeld()
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
    throw new ApiError('SoftwarePackage.1300', `the package's ${name} ended with exit code ${exitCode}: ${said}`)
  } finally {
    logHeld()
  }
}
