import type { Cli } from '../../cli.ts'
import { isYes } from '../../confirm.ts'
import { CommandError } from '../../errors.ts'
import { printable } from '../../output/printable.ts'

interface SshEndpoint {
  readonly address: string
  readonly sshPort: number | undefined
}

/** Prompts for the host key as ssh does at a first connection; without a terminal any key is pinned. */
export async function trustedFingerprint(cli: Cli, endpoint: SshEndpoint): Promise<string | undefined> {
  if (!cli.io.stderr.isTTY) return undefined
  const wharf = await cli.wharf()
  const [key] = (await wharf.hosts.getKeys(endpoint)).keys
  if (key === undefined) return undefined
  const offered = `${printable(endpoint.address)} has the ${printable(key.type)} key ${printable(key.fingerprint)}.`
  const answer = await cli.io.prompt(`${offered}\nTrust this key? [y/N] `)
  if (answer === undefined || isYes(answer)) return key.fingerprint
  throw new CommandError(
    'host not added: its key is not trusted',
    'verify the key on the host with ssh-keygen -l, then pass it with --fingerprint',
  )
}
