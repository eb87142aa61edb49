import { command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { readText } from '../option-values.ts'
import { printableJson, printableLines } from '../output/printable.ts'

export const api = command({
  name: 'api',
  summary: 'Send a raw, signed API request',
  more: 'Prints the body of the response unchanged; on a terminal, JSON is formatted.',
  arguments: {
    '<method>': { help: 'GET, POST, PUT or DELETE' },
    '<path>': { help: 'path from /v1, with the query' },
  },
  options: {
    '--body <json>': { help: 'request body; @file reads a file, @- reads stdin' },
    '--header <line>': { help: 'additional header, such as "Prefer: respond-async"; repeatable', repeated: true },
  },
  examples: [`api GET '/v1/hosts?q=state=Enabled&limit=1'`, `api POST /v1/tags --body '{"params": {"name": "blue"}}'`],
  async run(cli, { method, path }, { body, header = [] }) {
    const [pathname = '', ...query] = (path.startsWith('/') ? path : `/${path}`).split('?')
    if (!/^\/v1\//.test(pathname)) throw new UsageError(`invalid path ${path}: it must begin with /v1/`)
    const wharf = await cli.wharf()
    const { text } = await wharf.request({
      method: methodOf(method),
      path: escaped(pathname),
      query: query.length > 0 ? escaped(query.join('?')) : undefined,
      body: body === undefined ? undefined : await readText(cli, body),
      headers: Object.fromEntries(header.map(headerOf)),
    })
    cli.out.raw(cli.io.stdout.isTTY || cli.out.form === 'json' ? formatted(text) : withLineEnd(text))
  },
})

function methodOf(text: string): string {
  const method = text.toUpperCase()
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method))
    throw new UsageError(`invalid method ${text}: use GET, POST, PUT or DELETE`)
  return method
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new UsageError(`invalid header ${line}: use "Name: value"`)
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
}

/** Escapes spaces and non-ASCII letters; keeps existing escapes. */
const escaped = (text: string): string => encodeURI(text).replace(/%25([0-9A-Fa-f]{2})/g, '%$1')

function formatted(text: string): string {
  try {
    return `${printableJson(JSON.parse(text), 2)}\n`
  } catch {
    return withLineEnd(printableLines(text))
  }
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
