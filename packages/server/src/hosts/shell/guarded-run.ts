import { ApiError, invalid } from '../../platform/api-error.ts'
import type { RunOptions } from '../driver.ts'
import { fenceFailure, fenceWords } from './fence.ts'
import { guard, guardInput } from './guard.ts'
import { MarkedLines } from './marker.ts'
import { Session } from './session.ts'
import type { Transport, Words } from './transport.ts'

/** A program under the guard: its lines as they come, then the exit code that is its own. */
export async function guardedRun(
  transport: Transport,
  argv: Words,
  options: RunOptions,
): Promise<{ exitCode: number }> {
  const { signal, input = '', folder = '/', environment = {} } = options
  if (input.includes('\0')) throw invalid('the input of a program must not contain NUL')
  const words = [...fenceWords(), folder, ...assignments(environment), 'setsid', '--', ...argv]
  const session = await Session.open(transport, guard, words, { signal })
  session.stdin.write(guardInput(input, session.marker))

  const { found, noise } = await session.begins(session.stdout, session.stderr)
  const result = found ? await resultOf(session, options.onLine) : undefined
  if (signal.aborted) throw signal.reason
  if (result === undefined) throw session.failure(await session.ended, found ? '' : noise)
  if (result === 'folder')
    throw new ApiError('SYS.1016', `${transport.host} cannot run a program in the folder ${folder}`)
  const [, answer, reason = ''] = /^fence (\d)(?: (.*))?$/.exec(result) ?? []
  if (answer !== undefined) throw fenceFailure(transport.host, answer, reason)
  return { exitCode: Number(result) }
}

/** Ends with the last line of both streams, or without a result when they end before it. */
async function resultOf(session: Session, onLine: RunOptions['onLine']): Promise<string | undefined> {
  const over = Promise.withResolvers<void>()
  const speaking = new Set<'stdout' | 'stderr'>(['stdout', 'stderr'])
  const [stdout] = [...speaking].map((name) => {
    const tell = (line: string): void => {
      try {
        onLine?.(line, name)
      } catch (error) {
        over.reject(error)
      }
    }
    const lines = new MarkedLines(session.marker, tell, () => {
      speaking.delete(name)
      if (speaking.size === 0) over.resolve()
    })
    session[name].on('data', (chunk: Buffer) => lines.push(chunk)).once('end', () => lines.end())
    return lines
  })
  try {
    await Promise.race([over.promise, session.ended])
  } finally {
    // the end of its input stops a program that is not over
    session.stdin.destroy()
    session.letGo()
  }
  return stdout?.result
}

/** As `env` reads them. */
function assignments(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalid(`${name} cannot be the name of a variable`)
    return `${name}=${value}`
  })
}
