import { errorCatalogue } from '@wharf/contract'
import { readBuiltInCatalogue } from '@wharf/elaborations/built-in-catalogue.ts'
import { ElaborationSet } from '@wharf/elaborations/elaboration-set.ts'
import { TextSearch } from '@wharf/elaborations/text-search.ts'

export interface Failure {
  readonly code: string
  readonly details: string
}

export interface ExplainedShare {
  readonly failures: number
  /** By the text of the failure alone. */
  readonly byText: number
  /** Of these, by an entry of the failure's own code; the others by the cause in its text. */
  readonly ofOwnCode: number
  /** By the text, or else by the code. */
  readonly byTextOrCode: number
  readonly unexplained: readonly string[]
}

/** What is different in every run, or between two cases of one kind: names, numbers, keys. */
const accidental =
  /[0-9a-f]{16,}|\d+(\.\d+)*|SHA256:[\w+/]+|"[^"]*"|\/tmp\/\S+|(?<=no route at )\S+|(?<=url leads to )[^:]+/gi

const kindOf = ({ code, details }: Failure): string => `${code} ${details.replaceAll(accidental, '#')}`

/** The lines that recordFailure wrote, one of each kind. */
export function readFailures(lines: string): Failure[] {
  const kinds = new Map<string, Failure>()
  for (const line of lines.split('\n').filter((text) => text !== '')) {
    const failure: Failure = JSON.parse(line)
    const kind = kindOf(failure)
    if (!kinds.has(kind)) kinds.set(kind, failure)
  }
  return [...kinds.values()]
}

/** How many of these failures Wharf's own catalogue explains. */
export function explainedShare(failures: readonly Failure[]): ExplainedShare {
  const set = new ElaborationSet(readBuiltInCatalogue())
  const search = new TextSearch(set)
  const unexplained: string[] = []
  let ofOwnCode = 0
  let byCode = 0
  for (const { code, details } of failures) {
    const found = search.explain(details)
    if (found === undefined) unexplained.push(`${code} ${details}`)
    else if (`${found.category}.${found.code}` === code) ofOwnCode++
    const [category = '', number = ''] = code.split('.')
    if (found === undefined && code in errorCatalogue && set.ofCode(category, number).length > 0) byCode++
  }
  const byText = failures.length - unexplained.length
  return { failures: failures.length, byText, ofOwnCode, byTextOrCode: byText + byCode, unexplained }
}
