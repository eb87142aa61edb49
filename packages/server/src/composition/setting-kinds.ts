import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { postgresAddresses } from '@wharf/database/postgres-addresses.ts'
import { type Cidr, cidrRule, parseCidr } from '@wharf/platform/cidr.ts'
import { parseMasterKey } from '@wharf/platform/master-key.ts'
import { Secret } from '@wharf/platform/secret.ts'

/** How a value is parsed. `parse` returns undefined for an invalid value. */
export interface Kind<T> {
  readonly rule: string
  readonly parse: (text: string, root: string) => T | undefined
}

export const pattern = (rule: string, expression: RegExp): Kind<string> => ({
  rule,
  parse: (text) => (expression.test(text) ? text : undefined),
})

export const integerBetween = (least: number, most: number): Kind<number> => ({
  rule: `must be a whole number from ${least} to ${most}`,
  parse: (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

const durationMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds. */
export const durationOrNever: Kind<number> = {
  rule: 'must be 0 or a duration such as 90s, 10m, 1h or 1d',
  parse: (text) => {
    const [, count, unit = 's'] = /^(\d{1,6}) ?([smhd])?$/.exec(text) ?? []
    return count === undefined ? undefined : Number(count) * durationMs[unit as keyof typeof durationMs]
  },
}

export const oneOf = <const V extends string>(...values: readonly V[]): Kind<V> => ({
  rule: `must be one of ${values.join(', ')}`,
  parse: (text) => values.find((value) => value === text.toLowerCase()),
})

export const flag: Kind<boolean> = {
  rule: 'must be true or false',
  parse: (text) => [true, false].find((value) => String(value) === text.toLowerCase()),
}

/** Items between commas; spaces around them are ignored, and an empty value is an empty list. */
export const list = <T>({ rule, parse }: Kind<T>): Kind<readonly T[]> => ({
  rule: `${rule}, several with commas between them`,
  parse: (text, root) => {
    if (text === '') return []
    const items = text.split(',').map((item) => parse(item.trim(), root))
    return items.every((item) => item !== undefined) ? items : undefined
  },
})

export const atLeastOne = <T>({ rule, parse }: Kind<readonly T[]>): Kind<readonly T[]> => ({
  rule,
  parse: (text, root) => (text === '' ? undefined : parse(text, root)),
})

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

export const listenAddress: Kind<string> = {
  rule: 'must be an IP address or a host name',
  parse: (text) => {
    const address = text.replace(/^\[(.*)\]$/, '$1')
    // 127.0.0.256 and 10.1 match the pattern of host names but are typos of addresses
    return isIP(address) !== 0 || (hostName.test(text) && !/(^|\.)\d+$/.test(text)) ? address : undefined
  },
}

export const network: Kind<string> = {
  rule: 'must be a network such as 10.0.0.0/8 or an address',
  parse: (text) => {
    const [address = '', prefix, ...more] = text.split('/')
    const family = isIP(address)
    if (family === 0 || more.length > 0 || address.includes('%')) return undefined
    if (prefix === undefined) return text
    return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128) ? text : undefined
  },
}

const webAddress = (text: string): URL | undefined => {
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const bare = url && url.username === '' && url.password === '' && !/[?#]/.test(text)
  return bare ? url : undefined
}

export const publicAddress: Kind<string> = {
  rule: 'must be an http or https address without user, query and fragment',
  parse: (text) => webAddress(text)?.href.replace(/\/+$/, ''),
}

export const origin: Kind<string> = {
  rule: 'must be an origin such as https://console.example.com',
  parse: (text) => {
    const url = webAddress(text)
    return url?.pathname === '/' ? url.origin : undefined
  },
}

/** Names at the root that a prefix would hide. */
const taken = ['v1', 'healthz', 'readyz', 'metrics', 'openapi.json', 'docs']

export const basePath: Kind<string> = {
  rule: `must be a path such as /wharf (letters, digits, "-", "_", "." and "~"; not ${taken.join(', ')})`,
  parse: (text) => {
    const segments = text.replace(/^\/+|\/+$/g, '').split('/')
    if (segments.length === 1 && segments[0] === '') return ''
    const sound = segments.every((segment) => /^[\w.~-]+$/.test(segment) && !/^\.\.?$/.test(segment))
    return sound && !taken.includes(segments[0] ?? '') ? `/${segments.join('/')}` : undefined
  },
}

export const folder: Kind<string> = {
  rule: 'must be the path of a folder',
  parse: (text, root) => (text === '' || text.includes('\0') ? undefined : resolve(root, text)),
}

export const readableFile: Kind<string> = {
  rule: 'must be the path of a file that this process may read',
  parse: (text, root) => {
    if (text === '') return undefined
    const file = resolve(root, text)
    try {
      accessSync(file, constants.R_OK)
      return statSync(file).isDirectory() ? undefined : file
    } catch {
      return undefined
    }
  },
}

export const timezone: Kind<string> = {
  rule: 'must be an IANA time zone such as UTC or Asia/Shanghai',
  parse: (text) => {
    // Intl also accepts offsets, which are not in the zone database
    if (!/^[a-z]/i.test(text)) return undefined
    // the default needs no zone database, whose first use takes longer than all other settings together
    if (text === 'UTC') return text
    try {
      return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
    } catch {
      return undefined
    }
  },
}

export const authScheme: Kind<string> = {
  rule: 'must be a word such as Service (not OAuth or Bearer, which mean something else)',
  parse: (text) => (/^[a-z][a-z0-9-]{0,63}$/i.test(text) && !/^(oauth|bearer)$/i.test(text) ? text : undefined),
}

/** Parsed by its kind, and wrapped as a Secret. */
export const secret = ({ rule, parse }: Kind<string>): Kind<Secret> => ({
  rule,
  parse: (text, root) => {
    const value = parse(text, root)
    return value === undefined ? undefined : Secret.of(value)
  },
})

export const databaseAddress: Kind<string> = {
  rule: 'must be an address such as postgres://user@host:5432/database, or with several hosts, host:5432,other:5432',
  parse: (text) => {
    const addresses = /^postgres(ql)?:\/\//.test(text) ? postgresAddresses(text) : ['']
    // one alone may be a socket, with no host before the path; in a list a gap would silently mean this machine
    const isAlone = addresses.length === 1
    const readable = addresses.every((one) =>
      isAlone ? URL.canParse(one.replace('@/', '@localhost/')) : URL.parse(one)?.hostname,
    )
    return readable ? text : undefined
  },
}

export const masterKey: Kind<string> = {
  rule: 'must be 32 bytes in base64, or 64 hex digits (openssl rand -base64 32 generates one)',
  parse: (text) => (parseMasterKey(text) === undefined ? undefined : text),
}

export const downloadNetwork: Kind<Cidr> = { rule: cidrRule, parse: parseCidr }

/** Names of network interfaces, `all` of them, or none. */
export const interfaces: Kind<'all' | readonly string[]> = {
  rule: 'must be all, none, or names of network interfaces with commas between them',
  parse: (text) => {
    if (/^all$/i.test(text)) return 'all'
    if (/^none$/i.test(text)) return []
    const names = text.split(',').map((name) => name.trim())
    // as Linux has it: at most 15 bytes, no slash, no blank
    return names.every((name) => /^[!-.0-~]{1,15}$/.test(name)) ? names : undefined
  },
}
