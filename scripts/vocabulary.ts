// Finds words that docs/glossary.md replaces: in identifiers and file names word by word, in texts by phrase.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'

interface Finding {
  readonly file: string
  readonly line: number
  readonly kind: 'file name' | 'identifier' | 'text'
  readonly word: string
  readonly excerpt: string
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Verbs of speech for machines, and metaphors. They are compared with whole words: `lookup` and `gateway` are fine. */
const bannedWords = new Set(
  words(`
    tell tells telling told  say says saying said  ask asks asking asked  hear hears hearing heard
    look looks looking looked  stand stands standing stood  lie lies lying
    overtake overtaken  mend mends mended  beginning begun  anew  bell  desk  world  story  course  nowhere  way ways  room  lane
  `),
)

/** Names that this project has promised to keep, by file. */
const keptNames = new Set([
  'packages/contract/src/hosts.ts lookAtHostKeys',
  'packages/sdk/src/generated-types.ts lookAtKeys',
  'packages/sdk/src/jobs/job.ts look',
  'packages/server/src/resources/cluster-plugins/jobs/configure.ts begun',
])

const bannedEnding = /[a-z](Starting|Means)$/

/** Wrong in every comment, message and document. */
const bannedPhrases =
  /\b(anew|told|tells|asks|say|says|saying|said|hear|hears|heard|exists already|under way|stands|stood|by itself|for ever|whoever|mends?|mended|way back|is there already|brought to an end)\b/gi

/** HTTPResponse → http response; kebab-case and snake_case likewise. */
const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase())

export const bannedIn = (name: string): string | undefined =>
  wordsOf(name).find((word) => bannedWords.has(word)) ?? bannedEnding.exec(name)?.[0].slice(1)

interface Span {
  readonly start: number
  readonly end: number
}

/** The identifiers of a source, and its texts: string literals, templates, JSX texts and comments. */
function readSource(file: string, source: string): { identifiers: (Span & { name: string })[]; texts: Span[] } {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : file.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }
  const tree = ts.createSourceFile(file, source, options, false, kind)
  const identifiers: (Span & { name: string })[] = []
  const literals: Span[] = []
  const visit = (node: ts.Node): void => {
    const span = { start: node.getStart(tree), end: node.end }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) identifiers.push({ ...span, name: node.text })
    else if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) literals.push(span)
    else ts.forEachChild(node, visit)
  }
  visit(tree)
  const texts = literals.filter(({ start }) => source[start] !== '/')
  return { identifiers, texts: [...texts, ...commentsBetween(literals, source)] }
}

function commentsBetween(literals: readonly Span[], source: string): Span[] {
  const comments: Span[] = []
  const ordered = [...literals].sort((a, b) => a.start - b.start)
  const opening = /\/[/*]/g
  let next = 0
  for (let match = opening.exec(source); match; match = opening.exec(source)) {
    while ((ordered[next]?.end ?? Infinity) <= match.index) next++
    const literal = ordered[next]
    if (literal && literal.start <= match.index) {
      opening.lastIndex = literal.end
      continue
    }
    const close = match[0] === '//' ? '\n' : '*/'
    const at = source.indexOf(close, match.index + 2)
    const end = at < 0 ? source.length : at + close.length
    comments.push({ start: match.index, end })
    opening.lastIndex = end
  }
  return comments
}

/** The names that a shell script assigns, declares or expands. */
const shellNames = /(?:^|[\s;])(?:function\s+)?([A-Za-z_]\w*)(?=\(\)|=)|\$\{?([A-Za-z_]\w*)/gm

function* findingsIn(file: string, source: string): Generator<Finding> {
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length
  const excerpt = (at: number): string => source.slice(Math.max(0, at - 40), at + 60).replaceAll(/\s+/g, ' ')
  const name = basename(file).replace(/\.(\w+)$/, '')
  const wrong = bannedIn(name)
  if (wrong) yield { file, line: 0, kind: 'file name', word: wrong, excerpt: basename(file) }

  // parsing is slow, and few files contain such a word at all
  if (!(source.match(/\w+/g) ?? []).some(bannedIn) && source.match(bannedPhrases) === null) return

  const isShell = /\.(sh|bash)$/.test(file)
  const whole = [{ start: 0, end: source.length }]
  const { identifiers, texts } = /\.[cm]?[jt]sx?$/.test(file)
    ? readSource(file, source)
    : {
        identifiers: isShell
          ? [...source.matchAll(shellNames)].map((match) => ({
              start: match.index,
              end: match.index + match[0].length,
              name: match[1] ?? match[2] ?? '',
            }))
          : [],
        texts: whole,
      }
  for (const { start, name: identifier } of identifiers) {
    const word = keptNames.has(`${file} ${identifier}`) ? undefined : bannedIn(identifier)
    if (word) yield { file, line: lineOf(start), kind: 'identifier', word, excerpt: identifier }
  }
  for (const { start, end } of texts)
    for (const match of source.slice(start, end).matchAll(bannedPhrases)) {
      const at = start + match.index
      yield { file, line: lineOf(at), kind: 'text', word: match[0].toLowerCase(), excerpt: excerpt(at) }
    }
}

const isRead = /\.([cm]?[jt]sx?|sh|bash|md|ya?ml|svg|css|html)$/
/** They list the words. */
const isExempt = new Set([
  'scripts/vocabulary.ts',
  'scripts/vocabulary.slow.test.ts',
  'packages/console/src/i18n/all-messages.test.ts',
])

export function findBannedWords(root: string): Finding[] {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  return tracked
    .filter((file) => isRead.test(file) && !isExempt.has(file) && existsSync(join(root, file)))
    .flatMap((file) => [...findingsIn(file, readFileSync(join(root, file), 'utf8'))])
}
