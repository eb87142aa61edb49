import { command } from '../command.ts'
import { givenText } from '../given-text.ts'
import { printableJson, printableLines } from '../output/printable.ts'
import { UsageError } from '../refusals.ts'

export const api = command({
  name: 'api',
  summary: 'Send a request of your own, signed',
  more: 'The body of the answer goes to standard output as it came; on a terminal it is set in lines.',
  arguments: {
    '<method>': { help: 'GET, POST, PUT or DELETE' },
    '<path>': { help: 'from /v1 on, with its query' },
  },
  options: {
    '--body <json>': { help: 'what to send; @file reads a file, @- standard input' },
    '--header <line>': { help: 'another header, as in "Prefer: respond-async"', repeated: true },
  },
  examples: [`api GET '/v1/hosts?q=state=Enabled&limit=1'`, `api POST /v1/tags --body '{"params": {"name": "blue"}}'`],
  async run(cli, { method, path }, { body, header = [] }) {
    const [pathname = '', ...query] = (path.startsWith('/') ? path : `/${path}`).split('?')
    if (!/^\/v1\//.test(pathname)) throw new UsageError(`a path begins with /v1/, not ${path}`)
    const wharf = await cli.wharf()
    const { text } = await wharf.request({
      method: methodOf(method),
      path: escaped(pathname),
      query: query.length > 0 ? escaped(query.join('?')) : undefined,
      body: body === undefined ? undefined : await givenText(cli, body),
      headers: Object.fromEntries(header.map(headerOf)),
    })
    cli.out.raw(cli.io.stdout.isTTY || cli.out.form === 'json' ? setInLines(text) : ended(text))
  },
})

function methodOf(given: string): string {
  const method = given.toUpperCase()
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method))
    throw new UsageError(`${given} is not GET, POST, PUT or DELETE`)
  return method
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new UsageError(`a header reads "Name: value", not ${line}`)
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
}

/** Blanks and other letters may be typed as they are; what is escaped already stays so. */
const escaped = (text: string): string => encodeURI(text).replace(/%25([0-9A-Fa-f]{2})/g, '%$1')

function setInLines(text: string): string {
  try {
    return `${printableJson(JSON.parse(text), 2)}\n`
  } catch {
    return ended(printableLines(text))
  }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
