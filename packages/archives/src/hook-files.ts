/** A program of a hook as the inspection found it in the package. */
export interface InspectedFile {
  /** Relative to the folder of wharf.json, without a leading `./`. */
  readonly path: string
  readonly size: number
  /** By the `cksum` of the host it was unpacked on. */
  readonly cksum?: string
}

/** Programs that run the program in their arguments. */
const launchers = /^(?:busybox|env|ionice|nice|nohup|setsid|stdbuf|sudo|timeout)$/

/** Programs that run the first file in their arguments, unless the option provides the code. */
const interpreters: readonly { readonly name: RegExp; readonly codeOption: RegExp }[] = [
  { name: /^(?:ba|da|a|k|mk|z)?sh$/, codeOption: /^-[a-z]*c$/i },
  { name: /^python[\d.]*$/, codeOption: /^-[a-z]*[cm]$/i },
  { name: /^php[\d.]*$/, codeOption: /^-r$/ },
  { name: /^(?:perl|ruby|node|nodejs|lua)[\d.]*$/, codeOption: /^(?:-[a-z]*[ep]|--eval|--print)$/i },
]

const interpreterOf = (word: string) =>
  interpreters.find(({ name }) => name.test(word.slice(word.lastIndexOf('/') + 1)))

/** The path in the package that an argument of a hook may name; undefined when it cannot be one. */
function packagePath(word: string): string | undefined {
  if (word.startsWith('/') || /[\u0000-\u001f\u007f]|^ | $/.test(word)) return undefined
  const parts = word.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/')
}

/**
 * The file of the package that a hook runs: its program, or the script of an interpreter. Other arguments are data, which
 * another hook may have changed.
 */
export function programPath(words: readonly string[], isFile: (path: string) => boolean): string | undefined {
  const [program = '', ...rest] = words
  const own = program.includes('/') ? packagePath(program) : undefined
  if (own !== undefined) return own
  if (launchers.test(program.slice(program.lastIndexOf('/') + 1))) {
    const isProgram = (word: string): boolean => word.includes('/') && isFile(packagePath(word) ?? '')
    const start = rest.findIndex((word) => isProgram(word) || interpreterOf(word) !== undefined)
    return start < 0 ? undefined : programPath(rest.slice(start), isFile)
  }
  const interpreter = interpreterOf(program)
  if (interpreter === undefined) return undefined
  for (const word of rest) {
    if (word.startsWith('/') || interpreter.codeOption.test(word)) return undefined
    const path = word.startsWith('-') ? undefined : packagePath(word)
    if (path !== undefined && isFile(path)) return path
  }
  return undefined
}
