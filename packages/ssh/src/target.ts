import { invalid } from '@wharf/platform/api-error.ts'

/** The address of an sshd, and the user that signs in. */
export interface SshTarget {
  readonly address: string
  readonly port: number
  readonly username: string
}

// No blanks, quotes or shell characters: the user's ssh configuration may insert both into a command.
const addressForm = /^[A-Za-z0-9_:][A-Za-z0-9_.:%-]{0,254}$/
const usernameForm = /^[A-Za-z0-9_.][A-Za-z0-9_.@+-]{0,254}$/

/** Neither is an option or contains shell characters; the address may be a name in the user's ssh configuration. */
export function checkedTarget<Target extends SshTarget>(target: Target): Target {
  if (!addressForm.test(target.address)) throw invalid('address is a host name, an IPv4 or an IPv6 address')
  if (!usernameForm.test(target.username)) throw invalid('username is a name of letters, digits and . _ @ + -')
  if (!Number.isInteger(target.port) || target.port < 1 || target.port > 65_535)
    throw invalid('sshPort is a number from 1 to 65535')
  return target
}

/** For messages. */
export const describeTarget = ({ address, port }: SshTarget): string =>
  port === 22 ? `host ${address}` : `host ${address} port ${port}`
