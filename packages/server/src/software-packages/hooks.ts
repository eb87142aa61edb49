import type { HostDriver } from '../hosts/driver.ts'
import type { JobContext } from '../jobs/definition.ts'
import { ApiError } from '../platform/api-error.ts'
import { parseDuration } from './archives/duration.ts'
import type { PackageHook } from './archives/manifest.ts'
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
}

/** The folder that wharf.json stands in, where the hooks run. */
export const folderOf = ({ unzipInstallPath, topFolder }: PackageRow): string =>
  topFolder === null ? (unzipInstallPath ?? '') : `${unzipInstallPath}/${topFolder}`

/** Runs one of the package's programs on its host; its output goes to the job's log. */
export async function runHook(context: JobContext, { driver, hook, name, folder, input }: HookRun): Promise<object> {
  const said = new LastLines()
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
    context.log(told)
  }
  const late = new ApiError('SYS.1001', `the package's ${name} did not end within ${hook.timeout}`)
  const limit = new AbortController()
  const timer = hook.timeout ? setTimeout(() => limit.abort(late), parseDuration(hook.timeout)) : undefined
  try {
    const { exitCode } = await driver.run(hook.run as [string, ...string[]], {
      folder,
      input: JSON.stringify(input),
      environment: { WHARF_PACKAGE_DIR: folder, WHARF_JOB_UUID: context.jobUuid },
      signal: AbortSignal.any([context.signal, limit.signal]),
      onLine,
    })
    if (exitCode === 0) return result
    throw new ApiError('SoftwarePackage.1300', `the package's ${name} ended with exit code ${exitCode}: ${said}`)
  } finally {
    clearTimeout(timer)
  }
}
