import { invalid } from '@wharf/platform/api-error.ts'
import { parseAddress } from '@wharf/platform/cidr.ts'

/** The address of an sshd, and the user that signs in. */
export interface SshTarget {
  readonly address: string
  readonly port: number
  readonly username: string
}

// No spaces, quotes or shell characters: the user's ssh configuration may insert both into a command.
const addressForm = /^[A-Za-z0-9_:][A-Za-z0-9_.:%-]{0,254}$/
const usernameForm = /^[A-Za-z0-9_.][A-Za-z0-9_.@+-]{0,254}$/

/** Digits and dots, or colons, are an address and no name: 10.0.0.300 is a mistake. An IPv6 address may have a zone. */
const isAddress = (text: string): boolean =>
  addressForm.test(text) && (!/^[\d.]+$|:/.test(text) || parseAddress(text.replace(/%.+$/, '')) !== undefined)

/** The address may be a name in the user's ssh configuration. */
export function checkAddress(address: string): void {
  if (!isAddress(address))
    throw invalid(`address is a host name, an IPv4 or an IPv6 address; ${JSON.stringify(address)} is none: correct it`)
}

/** Neither the address nor the user is an option or contains shell characters. */
export function checkedTarget<Target extends SshTarget>(target: Target): Target {
  checkAddress(target.address)
  if (!usernameForm.test(target.username)) throw invalid('username is a name of letters, digits and . _ @ + -')
  if (!Number.isInteger(target.port) || target.port < 1 || target.port > 65_535)
    throw invalid('sshPort is a number from 1 to 65535')
  return target
}

/** For messages. */
export const describeTarget = ({ address, port }: SshTarget): string =>
  port === 22 ? `host ${address}` : `host ${address} port ${port}`
