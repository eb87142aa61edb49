import { isLabelName, maxLabels, maxLabelValueLength } from '@wharf/contract'

export type Labels = Readonly<Record<string, string>>

/** A label as typed. */
export interface LabelRow {
  readonly name: string
  readonly value: string
}

export const rowsOf = (labels: Labels): LabelRow[] =>
  Object.entries(labels)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ name, value }))

export type NameProblem = 'required' | 'badName' | 'twice'
export interface RowProblems {
  readonly name?: NameProblem
  readonly value?: 'tooLong'
}

const isEmpty = ({ name, value }: LabelRow): boolean => name.trim() === '' && value === ''
const filled = (rows: readonly LabelRow[]): LabelRow[] => rows.filter((row) => !isEmpty(row))

/** The problems of each row; an empty row has none. */
export const problemsOf = (rows: readonly LabelRow[]): RowProblems[] =>
  rows.map((row) => {
    const name = nameProblem(row, rows)
    return {
      ...(name && { name }),
      ...(row.value.trim().length > maxLabelValueLength && { value: 'tooLong' as const }),
    }
  })

function nameProblem(row: LabelRow, rows: readonly LabelRow[]): NameProblem | undefined {
  if (isEmpty(row)) return undefined
  const name = row.name.trim()
  if (name === '') return 'required'
  if (!isLabelName(name)) return 'badName'
  return rows.filter((other) => other.name.trim() === name).length > 1 ? 'twice' : undefined
}

export const isValid = (rows: readonly LabelRow[]): boolean =>
  filled(rows).length <= maxLabels && problemsOf(rows).every((problems) => Object.keys(problems).length === 0)

export const labelsOf = (rows: readonly LabelRow[]): Labels =>
  Object.fromEntries(filled(rows).map(({ name, value }) => [name.trim(), value.trim()]))

/** The fields of UpdateHost that turn the labels of a host into these. */
export function changeOf(rows: readonly LabelRow[], before: Labels) {
  const after = labelsOf(rows)
  const labels = Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value))
  const removeLabels = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(removeLabels.length > 0 && { removeLabels }),
  }
}

/** `old, rack` → the names of labels. */
const namesIn = (text: string): string[] => text.split(/[\s,，]+/).filter(Boolean)

/** What a change of several hosts sets and removes; the other labels of each host remain. */
export interface LabelChange {
  readonly rows: readonly LabelRow[]
  readonly removed: string
}

export type ChangeProblem = 'nothing' | 'badRows' | 'badRemoved' | 'both'

export function changeProblem({ rows, removed }: LabelChange): ChangeProblem | undefined {
  const names = namesIn(removed)
  const set = labelsOf(rows)
  if (!isValid(rows)) return 'badRows'
  if (!names.every(isLabelName)) return 'badRemoved'
  if (names.some((name) => Object.hasOwn(set, name))) return 'both'
  return names.length === 0 && Object.keys(set).length === 0 ? 'nothing' : undefined
}

export function changeInput({ rows, removed }: LabelChange) {
  const [labels, removeLabels] = [labelsOf(rows), namesIn(removed)]
  return {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(removeLabels.length > 0 && { removeLabels }),
  }
}
