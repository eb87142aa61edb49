import type { Cli } from '../../cli.ts'
import { printable } from '../../output/printable.ts'
import { Refusal } from '../../refusals.ts'

interface Place {
  readonly address: string
  readonly sshPort: number | undefined
}

/** What ssh asks at a first connection, asked of whoever sits there; where nobody does, any key is pinned. */
export async function trustedFingerprint(cli: Cli, place: Place): Promise<string | undefined> {
  if (!cli.io.stderr.isTTY) return undefined
  const wharf = await cli.wharf()
  const [key] = (await wharf.hosts.lookAtKeys(place)).keys
  if (key === undefined) return undefined
  const shown = `${printable(place.address)} shows the ${printable(key.type)} key ${printable(key.fingerprint)}.`
  const answer = await cli.io.ask(`${shown}\nIs it the right one? [y/N] `)
  if (answer === undefined || /^y(es)?$/i.test(answer.trim())) return key.fingerprint
  throw new Refusal(
    'the host was not added: its key is not trusted',
    'compare on the host with ssh-keygen -l, then give the right one as --fingerprint',
  )
}
