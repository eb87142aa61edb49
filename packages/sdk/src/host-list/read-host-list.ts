import { isLabelName, labelNameRule, maxLabels, maxLabelValueLength } from '@wharf/contract'
import { CsvError, type CsvRow, parseCsv } from './parse-csv.ts'

/** A host of a file, in the fields of AddHost. */
export interface ListedHost {
  readonly line: number
  readonly name: string
  readonly address: string
  readonly username?: string
  readonly sshPort?: number
  readonly hostKeyFingerprint?: string
  readonly packagesPath?: string
  readonly description?: string
  readonly labels: Readonly<Record<string, string>>
}

/** What is wrong with a file, one problem per line of the message. */
export class HostListError extends Error {
  override readonly name: string = 'HostListError'
}

/** The columns of a file besides `labels` and `label.<name>`, and the fields that they are. */
const columns = {
  name: 'name',
  address: 'address',
  user: 'username',
  username: 'username',
  port: 'sshPort',
  sshPort: 'sshPort',
  fingerprint: 'hostKeyFingerprint',
  hostKeyFingerprint: 'hostKeyFingerprint',
  packagesPath: 'packagesPath',
  description: 'description',
} as const satisfies Record<string, keyof ListedHost>

const requiredColumns = ['name', 'address'] as const
const labelPrefix = 'label.'
const maxReported = 20

/** Reads hosts from a CSV file with a header row; refuses the whole file when one line is wrong. */
export function readHostList(text: string): ListedHost[] {
  const [header, ...rows] = parse(text)
  if (header === undefined)
    throw new HostListError('the file is empty; its first line names the columns: name,address,user,port,labels')
  const names = header.cells.map((cell) => cell.trim())
  const problems = headerProblems(names, header.line)
  if (problems.length > 0) throw listProblems(problems)
  if (rows.length === 0) throw new HostListError('the file has a header and no hosts')
  const hosts = rows.flatMap((row) => readHost(names, row, problems) ?? [])
  problems.push(...duplicates(hosts))
  if (problems.length > 0) throw listProblems(problems)
  return hosts
}

function parse(text: string): CsvRow[] {
  try {
    return parseCsv(text)
  } catch (error) {
    throw error instanceof CsvError ? new HostListError(error.message) : error
  }
}

function headerProblems(names: readonly string[], line: number): string[] {
  const known = (name: string): boolean =>
    Object.hasOwn(columns, name) ||
    name === 'labels' ||
    (isLabelName(name.slice(labelPrefix.length)) && name.startsWith(labelPrefix))
  const fields: string[] = names.map((name) => columns[name as keyof typeof columns] ?? name)
  return [
    ...requiredColumns
      .filter((name) => !names.includes(name))
      .map((name) => `line ${line}: the column ${name} is missing`),
    ...names
      .filter((name) => !known(name))
      .map(
        (name) =>
          `line ${line}: unknown column ${JSON.stringify(name)}; the columns are name, address, user, port, fingerprint, packagesPath, description, labels and label.<name>`,
      ),
    ...names
      .filter((_, index) => fields.indexOf(fields[index] ?? '') !== index)
      .map((name) => `line ${line}: the column ${name} occurs twice`),
  ]
}

function readHost(names: readonly string[], { line, cells }: CsvRow, problems: string[]): ListedHost | undefined {
  const before = problems.length
  const report = (column: string, problem: string): void =>
    void problems.push(`line ${line}, column ${column}: ${problem}`)
  if (cells.length > names.length) problems.push(`line ${line}: ${cells.length} values for ${names.length} columns`)
  const host: Record<string, unknown> = {}
  const labels: Record<string, string> = {}
  for (const [index, column] of names.entries()) {
    const value = (cells[index] ?? '').trim()
    if (value === '') {
      if (requiredColumns.some((name) => name === column)) report(column, 'is empty')
    } else if (column === 'labels')
      Object.assign(
        labels,
        readLabels(value, (problem) => report(column, problem)),
      )
    else if (column.startsWith(labelPrefix)) labels[column.slice(labelPrefix.length)] = value
    else
      host[columns[column as keyof typeof columns]] =
        column === 'port' || column === 'sshPort' ? readPort(value, (problem) => report(column, problem)) : value
  }
  for (const [name, value] of Object.entries(labels))
    if (value.length > maxLabelValueLength)
      report('labels', `the value of ${name} has more than ${maxLabelValueLength} characters`)
  if (Object.keys(labels).length > maxLabels) report('labels', `more than ${maxLabels} labels`)
  return problems.length > before ? undefined : ({ ...host, line, labels } as unknown as ListedHost)
}

function readPort(text: string, report: (problem: string) => void): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) return void report(`${JSON.stringify(text)} is not a port from 1 to 65535`)
  return port
}

/** `zone=a;role=web` */
function readLabels(text: string, report: (problem: string) => void): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const part of text.split(';').map((one) => one.trim())) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = at === -1 ? part : part.slice(0, at).trim()
    if (at === -1) report(`${JSON.stringify(part)} is not name=value; separate labels with ;`)
    else if (!isLabelName(name)) report(`${JSON.stringify(name)} is not a label name: ${labelNameRule}`)
    else if (Object.hasOwn(labels, name)) report(`the label ${name} occurs twice`)
    else labels[name] = part.slice(at + 1).trim()
  }
  return labels
}

function duplicates(hosts: readonly ListedHost[]): string[] {
  const lines = new Map<string, number>()
  return hosts.flatMap(({ name, line }) => {
    const first = lines.get(name)
    if (first === undefined) lines.set(name, line)
    return first === undefined ? [] : [`line ${line}, column name: ${name} is also on line ${first}`]
  })
}

function listProblems(problems: readonly string[]): HostListError {
  const more = problems.length - maxReported
  return new HostListError(
    [...problems.slice(0, maxReported), ...(more > 0 ? [`and ${more} more problems`] : [])].join('\n'),
  )
}
