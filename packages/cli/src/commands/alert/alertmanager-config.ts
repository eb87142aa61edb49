import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'

export type Platform = Awaited<ReturnType<Wharf['alertPlatforms']['create']>>['inventory']

export async function resetToken(wharf: Wharf, { uuid, name }: Pick<Platform, 'uuid' | 'name'>): Promise<string> {
  const { token } = await wharf.alertPlatforms.resetToken(uuid)
  if (token !== null) return token
  throw new CommandError(
    `the response with the token of ${name} was lost`,
    `check the connection, then run wharf alert platform reset-token ${uuid}`,
  )
}

/** Prints a configuration for Alertmanager. */
export async function printConfig<T extends { url: string }>(cli: Cli, record: T, token: string): Promise<void> {
  const { alertmanagerConfig, isLoopbackUrl } = await import('@wharf/sdk')
  cli.out.text(alertmanagerConfig({ url: record.url, token }), { ...record, token })
  cli.info('Save the token now; it is not shown again.')
  if (isLoopbackUrl(record.url))
    cli.info(
      `Hint: only this machine reaches ${new URL(record.url).origin}. For an Alertmanager elsewhere, set WHARF_PUBLIC_URL of the server.`,
    )
}
