import type { Cli } from './cli.ts'
import { CommandError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import { formatError } from './format-error.ts'

/** What a command did with one record. */
export interface NameResult {
  readonly message: string
  readonly data: object
}

interface NamedWork<T> {
  /** Finds the record, and prompts if necessary; nothing changes before all records are found. */
  find(name: string): Promise<T>
  /** Undefined when the result is not known yet, as with --async. */
  act(record: T): Promise<NameResult | undefined>
}

/** Runs the command for each name. With several names, a failure does not stop the others. */
export async function forEachName<T>(cli: Cli, names: readonly string[], { find, act }: NamedWork<T>): Promise<void> {
  const different = [...new Set(names)]
  const [only = ''] = different
  if (different.length === 1) {
    const result = await act(await find(only))
    if (result !== undefined) cli.report(result.message, result.data)
    return
  }
  const results: { name: string; succeeded: boolean; error?: string }[] = []
  const failed = async (name: string, error: unknown): Promise<void> => {
    if (concernsAll(error)) throw error
    cli.io.stderr.write(`${await formatError(error, { io: cli.io, command: name })}\n`)
    results.push({ name, succeeded: false, error: briefError(error) })
  }
  const found: { name: string; record: T }[] = []
  for (const name of different)
    await find(name).then(
      (record) => found.push({ name, record }),
      (error: unknown) => failed(name, error),
    )
  for (const { name, record } of found)
    try {
      const result = await act(record)
      if (result === undefined) continue
      cli.info(result.message)
      results.push({ name, succeeded: true, ...result.data })
    } catch (error) {
      await failed(name, error)
    }
  if (!cli.out.isTable && results.length > 0) cli.out.list(results, [])
  const failures = results.filter(({ succeeded }) => !succeeded).map(({ name }) => name)
  if (failures.length > 0)
    throw new CommandError(`${failures.length} of ${different.length} failed: ${failures.join(', ')}`)
}

/** An error as a value of a table. */
export function briefError(error: unknown): string {
  const { message, code, details } = error as { message: string; code?: string; details?: string }
  return code === undefined ? message : `${code} ${details ?? message}`
}

/** The others would fail in the same way, or the user stops. */
function concernsAll(error: unknown): boolean {
  const { name, exitCode } = error as { name?: string; exitCode?: number }
  return name === 'ConnectionError' || (exitCode !== undefined && exitCode !== exitCodes.failed)
}
