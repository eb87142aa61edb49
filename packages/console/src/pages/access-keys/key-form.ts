import { operations, type Role, roles } from '@wharf/contract'
import { parseCidr } from '@wharf/platform/cidr.ts'
import { linesOf } from '../../components/condition-lines.ts'

/** When the key expires: never, after these days, or at a date of its own. */
export const expiries = ['never', '30', '90', '365', 'date'] as const
export type Expiry = (typeof expiries)[number]

export interface KeyForm {
  readonly description: string
  readonly userUuid: string
  readonly expiry: Expiry
  readonly expiresDate: string
  /** Empty for that of the user. */
  readonly role: string
  /** Conditions on hosts, one per line. */
  readonly scope: string
  readonly operations: readonly string[]
  /** Networks, separated by commas, spaces or lines. */
  readonly networks: string
  readonly requiresRfc9421: boolean
  readonly publicKey: string
}

export const emptyKeyForm: KeyForm = {
  description: '',
  userUuid: '',
  expiry: 'never',
  expiresDate: '',
  role: '',
  scope: '',
  operations: [],
  networks: '',
  requiresRfc9421: false,
  publicKey: '',
}

const dayMs = 86_400_000

const networksIn = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** The networks that the server would refuse. */
export const invalidNetworks = ({ networks }: KeyForm): string[] =>
  networksIn(networks).filter((network) => parseCidr(network) === undefined)

/** Not below the highest role of the user, which the server refuses. */
export const rolesUpTo = (role: Role | undefined): readonly Role[] =>
  role === undefined ? roles : roles.slice(roles.indexOf(role))

/** Groups first, as the choices of the form. */
export const operationChoices: readonly string[] = [
  ...new Set(operations.map(({ resource }) => `${resource}:*`)),
  ...operations.filter(({ permission }) => permission !== 'public').map(({ name }) => name),
]

export const isComplete = (form: KeyForm): boolean =>
  invalidNetworks(form).length === 0 && (form.expiry !== 'date' || form.expiresDate !== '')

/** The limits as fields of the call; a limit that is not set is absent. */
export function limitFields(form: KeyForm, now: number) {
  const { description, expiry, expiresDate, role, requiresRfc9421, publicKey } = form
  const networks = networksIn(form.networks)
  const scope = linesOf(form.scope)
  const date = expiry === 'date' ? expiresDate : new Date(now + Number(expiry) * dayMs || 0).toISOString()
  return {
    ...(description === '' ? {} : { description }),
    ...(expiry === 'never' ? {} : { expiresDate: date }),
    ...(role === '' ? {} : { role: role as Role }),
    ...(scope.length === 0 ? {} : { scope }),
    ...(form.operations.length === 0 ? {} : { operations: [...form.operations] }),
    ...(networks.length === 0 ? {} : { allowedCidrs: networks }),
    ...(requiresRfc9421 ? { schemes: ['rfc9421' as const] } : {}),
    ...(publicKey.trim() === '' ? {} : { publicKey }),
  }
}

/** As long before its expiry as the server reports it. */
const noticeMs = 14 * dayMs

/** Undefined for a key that does not expire, or not soon. */
export function expiryState(expiresAt: number | undefined, now: number): 'expired' | 'soon' | undefined {
  if (expiresAt === undefined || expiresAt - now > noticeMs) return undefined
  return expiresAt <= now ? 'expired' : 'soon'
}
