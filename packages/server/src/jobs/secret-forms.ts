/** Of a secret with several lines, those shorter than this give nothing away. */
const minLineLength = 8
/** A shorter piece of base64 is found in innocent words. */
const minBase64Length = 8

/** A secret as programs print it: plain, line by line, in JSON, quoted for a shell, in an address, in base64. */
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
  const written = inJson(text)
  const ascii = written.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // JSON within JSON, as when a program logs the text that it was given
  return [written, ascii, written.replaceAll('/', '\\/'), inJson(written), inJson(ascii)]
}

/** What stands between the quotes after `set -x`, `printf %q`, `declare -p` and their like. */
const shellForms = (text: string): string[] => [
  text.replaceAll("'", `'\\''`),
  text.replaceAll("'", `'"'"'`),
  text.replaceAll(/[^A-Za-z0-9_@%+=:,./\u0080-\uffff-]/g, '\\$&'),
  text.replaceAll(/["$`\\]/g, '\\$&'),
]

/** Wherever it begins within a longer text, such as `user:password`: the letters that depend on it alone. */
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
