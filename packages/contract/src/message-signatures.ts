/**
 * HTTP Message Signatures (RFC 9421) as text: what a signature covers, and how headers contain it. The cryptography is the
 * caller's, because browsers and Node have different interfaces to it.
 */

export const signatureAlgorithms = ['hmac-sha256', 'ed25519'] as const
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number]

/** A signature is valid this long before and after its `created`. */
export const signatureValidSeconds = 300

const always = ['@method', '@path', '@query']

/** What the signature of a call must cover. */
export const coveredComponents = (hasBody: boolean): readonly string[] =>
  hasBody ? [...always, 'content-digest'] : always

export interface SignatureParameters {
  /** Seconds since 1970. */
  readonly created?: number | undefined
  readonly expires?: number | undefined
  readonly keyid?: string | undefined
  readonly alg?: string | undefined
  readonly nonce?: string | undefined
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
const unquote = (text: string): string => text.slice(1, -1).replaceAll(/\\(.)/g, '$1')

/** The member of Signature-Input, which the signature covers too: `("@method" "@path");created=1618884473;keyid="a"`. */
export function formatSignatureInput(components: readonly string[], parameters: SignatureParameters): string {
  const written = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `;${name}=${typeof value === 'number' ? value : quote(String(value))}`)
  return `(${components.map(quote).join(' ')})${written.join('')}`
}

/**
 * The text that is signed. Undefined when the message lacks a component. `valueFor` receives names in lower case; the
 * value of `@query` starts with its question mark, also when there is no query.
 */
export function signatureBase(
  components: readonly string[],
  input: string,
  valueFor: (component: string) => string | undefined,
): string | undefined {
  let base = ''
  for (const component of components) {
    const value = valueFor(component)
    if (value === undefined) return undefined
    base += `"${component}": ${value}\n`
  }
  return `${base}"@signature-params": ${input}`
}

export interface MessageSignature extends SignatureParameters {
  readonly components: readonly string[]
  /** As `formatSignatureInput` writes it. */
  readonly input: string
  /** In Base64. */
  readonly signature: string
}

/** A component may not have parameters, and a message one signature. */
const inputMember = /^ *([a-z*][a-z0-9_.*-]*)=\( *((?:"[^"\\]*" *)*)\)((?:;.*)?)$/
const component = /"([^"]*)"/g
const parameter = /; *([a-z*][a-z0-9_.*-]*)=(?:(-?\d{1,15})|("(?:[ !#-[\]-~]|\\["\\])*"))/y
const signatureMember = /^ *([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]+={0,2}): *$/

/** The headers Signature-Input and Signature; undefined unless both contain the same single signature. */
export function parseMessageSignature(inputHeader: string, signatureHeader: string): MessageSignature | undefined {
  const [, label, list = '', rest = ''] = inputMember.exec(inputHeader) ?? []
  const [, signedLabel, signature = ''] = signatureMember.exec(signatureHeader) ?? []
  if (label === undefined || label !== signedLabel) return undefined
  const components = Array.from(list.matchAll(component), ([, name = '']) => name)
  const parameters = parseParameters(rest.trimEnd())
  if (parameters === undefined || new Set(components).size < components.length) return undefined
  const { written, values } = parameters
  return { ...values, components, input: `(${components.map(quote).join(' ')})${written}`, signature }
}

const numeric = new Set(['created', 'expires'])
const textual = new Set(['keyid', 'alg', 'nonce', 'tag'])

/** Parameters that are not known are covered by the signature and have no meaning. */
function parseParameters(text: string): { written: string; values: SignatureParameters } | undefined {
  const values: Record<string, string | number> = {}
  let written = ''
  for (parameter.lastIndex = 0; parameter.lastIndex < text.length; ) {
    const [, name = '', number, quoted = ''] = parameter.exec(text) ?? []
    const isWrongKind = number === undefined ? numeric.has(name) : textual.has(name)
    if (name === '' || isWrongKind || Object.hasOwn(values, name)) return undefined
    values[name] = number === undefined ? unquote(quoted) : Number(number)
    written += `;${name}=${number ?? quoted}`
  }
  return { written, values }
}

export const digestAlgorithms = ['sha-256', 'sha-512'] as const
export type DigestAlgorithm = (typeof digestAlgorithms)[number]

export interface ContentDigest {
  readonly algorithm: DigestAlgorithm
  /** In Base64. */
  readonly digest: string
}

export const formatContentDigest = ({ algorithm, digest }: ContentDigest): string => `${algorithm}=:${digest}:`

const digestMember = /^ *([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}): *$/

/** The header Content-Digest (RFC 9530): the digests of a known algorithm; undefined when it cannot be read. */
export function parseContentDigest(header: string): ContentDigest[] | undefined {
  const members = header.split(',').map((member) => digestMember.exec(member))
  if (members.includes(null)) return undefined
  return members.flatMap((member) => {
    const algorithm = digestAlgorithms.find((known) => known === member?.[1])
    return algorithm === undefined ? [] : [{ algorithm, digest: member?.[2] ?? '' }]
  })
}
