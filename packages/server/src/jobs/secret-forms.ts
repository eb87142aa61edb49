/** Shorter lines of a secret reveal nothing. */
const minLineLength = 8
/** A shorter piece of base64 occurs in ordinary words. */
const minBase64Length = 8

/** A secret as programs print it: plain, line by line, in JSON, quoted for a shell, in a URL, in base64. */
export function secretForms(secret: string): string[] {
  const text = secret.toWellFormed()
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= minLineLength)
  const forms = [secret, text, ...lines].flatMap((plain) => [
    plain,
    ...jsonForms(plain),
    ...shellForms(plain),
    encodeURIComponent(plain.toWellFormed()),
  ])
  return [...new Set([...forms, ...base64Forms(text)])].filter((form) => form !== '')
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function jsonForms(text: string): string[] {
  const escaped = inJson(text)
  const ascii = escaped.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // JSON within JSON, as when a program logs its input
  return [escaped, ascii, escaped.replaceAll('/', '\\/'), inJson(escaped), inJson(ascii)]
}

/** The text between the quotes that `set -x`, `printf %q` and `declare -p` print. */
const shellForms = (text: string): string[] => [
  text.replaceAll("'", `'\\''`),
  text.replaceAll("'", `'"'"'`),
  text.replaceAll(/[^A-Za-z0-9_@%+=:,./\u0080-\uffff-]/g, '\\$&'),
  text.replaceAll(/["$`\\]/g, '\\$&'),
]

/** At any offset in a longer text, such as `user:password`: the characters that depend on the secret alone. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const start = before === 0 ? 0 : before + 1
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    const own = encoded.slice(start, end)
    return own.length < minBase64Length ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
