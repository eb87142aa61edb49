import type { WharfError } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { UsageError } from './errors.ts'

/** Calls with the second factor if the server requires one, which is prompted then. */
export async function withSecondFactor<T>(
  cli: Cli,
  logIn: (secondFactor?: string) => Promise<T>,
): Promise<{ answer: T; isEnrolled: boolean }> {
  try {
    return { answer: await logIn(), isEnrolled: false }
  } catch (error) {
    const { code, opaque } = error as Partial<WharfError>
    if (code !== 'ID.1007') throw error
    const enrolment = opaque?.secondFactor.enrolment
    if (enrolment) showEnrolment(cli, enrolment)
    const answer = await logIn(await promptSecondFactor(cli, enrolment ? 'Code that the app shows: ' : undefined))
    return { answer, isEnrolled: Boolean(enrolment) }
  }
}

export function showEnrolment(cli: Cli, { secret, uri }: { secret: string | null; uri: string | null }): void {
  cli.io.stderr.write(`Add Wharf to an authenticator app with this secret or address:\n  ${secret}\n  ${uri}\n`)
}

export const recoveryCodesText = (codes: readonly string[] | null): string =>
  `Store these recovery codes; each replaces the second factor once:\n${(codes ?? []).map((code) => `  ${code}\n`).join('')}`

export async function promptSecondFactor(
  cli: Cli,
  question = 'Code of the authenticator app, or a recovery code: ',
): Promise<string> {
  const answer = await cli.io.prompt(question)
  if (answer === undefined)
    throw new UsageError(
      'the server requires a second factor; cannot prompt: stdin is not a terminal',
      'sign in on a terminal and without --password-stdin; programs use access keys',
    )
  return answer.trim()
}
