import { accessSync, constants, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Role, roles } from '@wharf/contract'
import { editDistance } from '@wharf/platform/edit-distance.ts'
import { OperatorError, reasonOf } from '@wharf/platform/operator-error.ts'

/** A user whose claim has the value gets the role in the account. */
export interface OidcRule {
  readonly claim: string
  readonly value: string
  readonly role: Role
  readonly account: string
}

/** An entry of WHARF_OIDC_FILE. */
export interface OidcProvider {
  readonly id: string
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  /** Read again for each discovery, so that a new secret needs no restart. */
  readonly clientSecretFile: string
  readonly scopes: readonly string[]
  /** The first one that applies decides. */
  readonly rules: readonly OidcRule[]
}

const providerFields = ['id', 'label', 'issuer', 'clientId', 'clientSecretFile', 'scopes', 'rules'] as const
const ruleFields = ['claim', 'value', 'role', 'account'] as const
const defaultScopes = ['openid', 'profile', 'email']
const maxFileBytes = 1024 * 1024

/** Names the provider and the field that are wrong, and the remedy. */
export function readProviderFile(path: string): readonly OidcProvider[] {
  const fail = (text: string): never => {
    throw new OperatorError(`WHARF_OIDC_FILE ${path}: ${text}`)
  }
  const document = parse(path, fail)
  if (!Array.isArray(document)) return fail('it must be a list of providers, [{"id": "…", "issuer": "…", …}]')
  if (document.length === 0) return fail('it has no providers; add one, or unset WHARF_OIDC_FILE')
  const providers = document.map((entry: unknown, index) => {
    const name = isRecord(entry) && typeof entry.id === 'string' ? ` "${entry.id.slice(0, 64)}"` : ''
    return readProvider(entry, dirname(path), (text) => fail(`provider ${index + 1}${name}: ${text}`))
  })
  for (const [index, { id, issuer, clientId }] of providers.entries())
    for (const earlier of providers.slice(0, index)) {
      if (earlier.id === id) fail(`provider ${index + 1} "${id}": its id is used twice; choose another one`)
      if (earlier.issuer === issuer && earlier.clientId === clientId)
        fail(`provider ${index + 1} "${id}": "${earlier.id}" has the same issuer and clientId; remove one of them`)
    }
  return providers
}

type Fail = (text: string) => never

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(path: string, fail: Fail): unknown {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    return fail(`it cannot be read: ${reasonOf(error)}`)
  }
  if (bytes.length > maxFileBytes) return fail('it is larger than 1 MiB')
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    return fail(`it is not valid JSON: ${(error as Error).message}`)
  }
}

function readProvider(entry: unknown, folder: string, fail: Fail): OidcProvider {
  if (!isRecord(entry)) return fail(`it must be an object with ${providerFields.join(', ')}`)
  refuseUnknown(entry, providerFields, fail)
  const text = textReader(entry, fail)
  const label = text('label')
  const id = entry.id === undefined ? idFrom(label) : text('id')
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(id))
    return fail('id must be 1 to 32 lower-case letters, digits and dashes: it is part of the redirect address')
  return {
    id,
    label,
    issuer: readIssuer(text('issuer'), fail),
    clientId: text('clientId'),
    clientSecretFile: readSecretFile(resolve(folder, text('clientSecretFile')), fail),
    scopes: readScopes(entry.scopes, fail),
    rules: readRules(entry.rules, fail),
  }
}

/** `Example Corp` becomes `example-corp`. */
const idFrom = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 32)

function refuseUnknown(entry: Record<string, unknown>, known: readonly string[], fail: Fail): void {
  const unknown = Object.keys(entry).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = known.find((name) => editDistance(name.toLowerCase(), unknown.toLowerCase()) <= 2)
  fail(`unknown field "${unknown.slice(0, 64)}": ${nearest ? `did you mean ${nearest}?` : `use ${known.join(', ')}`}`)
}

/** Of the fields that an entry must have. */
const textReader =
  (entry: Record<string, unknown>, fail: Fail) =>
  (field: string): string => {
    const value = entry[field]
    if (value === undefined) return fail(`${field} is missing`)
    if (typeof value !== 'string' || value.trim() === '' || value.length > 1024 || /\p{Cc}/u.test(value))
      return fail(`${field} must be a text of 1 to 1024 characters`)
    return value.trim()
  }

/** http only where nobody can listen in between: a provider on this machine, for trials. */
function readIssuer(issuer: string, fail: Fail): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || /[?#]/.test(issuer))
    return fail('issuer must be an address such as https://id.example.com, without user, query and fragment')
  if (url.protocol === 'http:' && !isLoopback(url))
    return fail(`issuer must start with https://, because ${url.host} is not this machine`)
  return issuer
}

export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

function readSecretFile(path: string, fail: Fail): string {
  try {
    accessSync(path, constants.R_OK)
    if (readSecret(path) !== '') return path
  } catch (error) {
    return fail(`clientSecretFile ${path} cannot be read: ${reasonOf(error)}; create it with the client secret`)
  }
  return fail(`clientSecretFile ${path} is empty; write the client secret into it`)
}

export const readSecret = (path: string): string => readFileSync(path, 'utf8').trim()

function readScopes(given: unknown, fail: Fail): readonly string[] {
  if (given === undefined) return defaultScopes
  const isScope = (scope: unknown): scope is string => typeof scope === 'string' && /^[!#-[\]-~]{1,255}$/.test(scope)
  if (!Array.isArray(given) || !given.every(isScope)) return fail('scopes must be a list of texts without spaces')
  if (!given.includes('openid')) return fail('scopes must contain openid, without which there is no identity')
  return given
}

function readRules(given: unknown, fail: Fail): readonly OidcRule[] {
  if (given === undefined) return fail('rules is missing: without a rule nobody can sign in')
  if (!Array.isArray(given) || given.length === 0)
    return fail('rules must be a list with at least one {"claim": "…", "value": "…", "role": "…", "account": "…"}')
  return given.map((rule: unknown, index) => {
    const failRule: Fail = (text) => fail(`rules[${index}]: ${text}`)
    if (!isRecord(rule)) return failRule(`it must be an object with ${ruleFields.join(', ')}`)
    refuseUnknown(rule, ruleFields, failRule)
    const text = textReader(rule, failRule)
    const role = roles.find((one) => one === text('role'))
    if (role === undefined) return failRule(`role "${text('role')}" must be one of ${roles.join(', ')}`)
    return { claim: text('claim'), value: text('value'), role, account: text('account') }
  })
}
