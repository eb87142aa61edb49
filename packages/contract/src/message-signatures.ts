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
const unquote = (text: string): string => {
  const inner = text.slice(1, -1)
  return inner.includes('\\') ? inner.replaceAll(/\\(.)/g, '$1') : inner
}

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

const labelForm = /^[a-z*][a-z0-9_.*-]*$/
const base64Form = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * The headers Signature-Input and Signature; undefined unless both contain the same single signature, whose components
 * have no parameters. Written without patterns over the whole text: every signed call is parsed.
 */
export function parseMessageSignature(inputHeader: string, signatureHeader: string): MessageSignature | undefined {
  const [open, close] = [inputHeader.indexOf('=('), inputHeader.indexOf(')')]
  if (open < 0 || close < open) return undefined
  const label = inputHeader.slice(0, open).trim()
  const signed = signatureHeader.trim()
  const signature = signed.slice(label.length + 2, -1)
  const isSame = signed.startsWith(`${label}=:`) && signed.endsWith(':')
  if (!isSame || !labelForm.test(label) || !base64Form.test(signature)) return undefined
  const list = parseComponents(inputHeader.slice(open + 2, close).trim())
  const parameters = parseParameters(inputHeader.slice(close + 1).trimEnd())
  if (list === undefined || parameters === undefined) return undefined
  const { components, written } = list
  return { ...parameters.values, components, input: written + parameters.written, signature }
}

interface ComponentList {
  readonly components: readonly string[]
  /** With its parentheses, as it is signed. */
  readonly written: string
}

/** Clients cover the same components in every call. */
const knownLists = new Map<string, ComponentList | undefined>()
const maxKnownLists = 100

function parseComponents(text: string): ComponentList | undefined {
  const known = knownLists.get(text)
  if (known !== undefined) return known
  const components = text === '' ? [] : text.slice(1, -1).split(/" +"/)
  const isList = text === '' || /^"[^"\\]*"( +"[^"\\]*")*$/.test(text)
  if (!isList || new Set(components).size < components.length) return undefined
  const list = { components, written: `(${components.map(quote).join(' ')})` }
  if (knownLists.size >= maxKnownLists) knownLists.clear()
  knownLists.set(text, list)
  return list
}

const nameForm = /^[a-z*][a-z0-9_.*-]*$/
const integerForm = /^-?\d{1,15}$/
const textForm = /^"(?:[ !#-[\]-~]|\\["\\])*"$/
const numeric = new Set(['created', 'expires'])
const textual = new Set(['keyid', 'alg', 'nonce', 'tag'])

/** Parameters that are not known are covered by the signature and have no meaning. */
function parseParameters(text: string): { written: string; values: SignatureParameters } | undefined {
  const values: Record<string, string | number> = {}
  let written = ''
  for (let at = 0; at < text.length; ) {
    const equals = text.indexOf('=', at)
    if (text[at] !== ';' || equals < 0) return undefined
    const name = text.slice(at + 1, equals).trimStart()
    const end = endOfValue(text, equals + 1)
    const value = text.slice(equals + 1, end)
    const isText = value.startsWith('"')
    const isOfForm = isText ? textForm.test(value) && !numeric.has(name) : integerForm.test(value) && !textual.has(name)
    if (!isOfForm || !nameForm.test(name) || Object.hasOwn(values, name)) return undefined
    values[name] = isText ? unquote(value) : Number(value)
    written += `;${name}=${value}`
    at = end
  }
  return { written, values }
}

/** Where the next parameter starts. */
function endOfValue(text: string, start: number): number {
  if (text[start] !== '"') {
    const next = text.indexOf(';', start)
    return next < 0 ? text.length : next
  }
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at + 1
  }
  return text.length
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
