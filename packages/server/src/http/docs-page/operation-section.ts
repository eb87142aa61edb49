import { codeBlock, colouredJson } from './code-block.ts'
import {
  type Call,
  jsonSchema,
  type OpenApi,
  type Parameter,
  type Response,
  resolved,
  type Schema,
} from './document.ts'
import { curlExample, exampleOf, json } from './examples.ts'
import { type Field, fieldsOf, fieldTable } from './field-table.ts'
import { type Content, type Html, html, inline } from './html.ts'

const callers: Record<string, string> = {
  public: 'no sign-in',
  own: 'any user, on what is their own',
  read: 'reader',
  operate: 'operator',
  administer: 'admin',
}

export function operationSection(document: OpenApi, call: Call, commonErrors: ReadonlySet<string>): Html {
  const served = call['x-served'] !== false
  return html`<article id="${call.operationId}" class="operation${served ? '' : ' planned'}">
<div class="text">
<h3><a href="#${call.operationId}">${call.summary}</a></h3>
<p class="call"><span class="method ${call.method.toLowerCase()}">${call.method}</span><code>${pathWithBreaks(call.path)}</code></p>
<p class="chips">${chips(call, served)}</p>
${call.description === undefined ? undefined : html`<p>${inline(call.description)}</p>`}
${requestTables(document, call)}
${answerTables(document, call)}
${errorTable(document, call, commonErrors)}
</div>
<div class="samples">${samples(document, call)}</div>
</article>`
}

/** A long path may break before a slash only. */
const pathWithBreaks = (path: string): Content =>
  path
    .split(/(?=\/)/)
    .map((part) => [
      html`<wbr>`,
      part.split(/(\{\w+\})/).map((piece) => (piece.startsWith('{') ? html`<var>${piece}</var>` : piece)),
    ])

function chips(call: Call, served: boolean): Content {
  const seconds = call['x-timeout-seconds']
  return [
    html`<span class="chip" title="Name of the operation">${call.operationId}</span>`,
    html`<span class="chip" title="Who may call">${callers[call['x-permission'] ?? ''] ?? call['x-permission']}</span>`,
    html`<span class="chip" title="First version that has it">since ${call['x-since']}</span>`,
    seconds === undefined ? undefined : html`<a class="chip" href="#guide-jobs">job, up to ${duration(seconds)}</a>`,
    call.deprecated ? html`<span class="chip warn">deprecated</span>` : undefined,
    served ? undefined : html`<span class="chip warn">not served by this version</span>`,
  ]
}

const duration = (seconds: number): string => (seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`)

const isTag = ({ name }: Field): boolean => name === 'systemTags' || name === 'userTags'

const part = (document: OpenApi, title: string, fields: readonly Field[], since: string | undefined): Content =>
  fields.length === 0 ? undefined : html`<h4>${title}</h4>${fieldTable(document, fields, { since, of: 'request' })}`

function requestTables(document: OpenApi, call: Call): Content {
  const since = call['x-since']
  const parameters = (call.parameters ?? []).map((given) => {
    const { schema, required = false, ...parameter } = resolved<Parameter>(document, given)
    const described = { ...parameter, ...schema, description: parameter.description ?? '' }
    return { place: parameter.in, name: parameter.name, required, schema: described }
  })
  const at = (place: Parameter['in']): Field[] => parameters.filter((parameter) => parameter.place === place)
  const body = fieldsOf(jsonSchema(call.requestBody?.content) ?? {})
  const extras = [...at('query').filter(isTag), ...body.filter(isTag), ...at('header')]
  return [
    part(document, 'Path', at('path'), since),
    part(
      document,
      'Query',
      at('query').filter((field) => !isTag(field)),
      since,
    ),
    part(
      document,
      'Body',
      body.filter((field) => !isTag(field)),
      since,
    ),
    extras.length === 0
      ? undefined
      : html`<details><summary>Tags and headers</summary>${fieldTable(document, extras, { since, of: 'request' })}</details>`,
  ]
}

/** Every response has these two; the guide explains them once. */
const isEnvelope = ({ name }: Field): boolean => name === 'success' || name === 'error'

function answerTables(document: OpenApi, call: Call): Content {
  const own = Object.entries(call.responses).filter(([, response]) => !('$ref' in response)) as [string, Response][]
  return own.map(([status, response]) => {
    const schema = jsonSchema(response.content)
    const fields = schema?.$ref === undefined ? fieldsOf(schema ?? {}).filter((field) => !isEnvelope(field)) : []
    return html`<h4>Answer <span class="status">${status}</span></h4>${
      fields.length > 0
        ? fieldTable(document, fields, { since: call['x-since'], of: 'answer' })
        : answerInWords(response, schema)
    }`
  })
}

function answerInWords(response: Response, schema: Schema | undefined): Html {
  const types = Object.keys(response.content ?? {}).filter((type) => type !== 'application/json')
  if (types.length > 0 || schema?.properties === undefined)
    return html`<p>${inline(response.description)}${types.map((type) => html` <code>${type}</code>`)}</p>`
  const empty = Object.keys(schema.properties).length === 0
  return html`<p>${inline(empty ? 'An empty object, `{}`.' : 'Nothing but `success` and `error`.')}</p>`
}

function errorTable(document: OpenApi, call: Call, common: ReadonlySet<string>): Content {
  const own = (call['x-errors'] ?? []).filter((code) => !common.has(code))
  const rows = own.map((code) => {
    const { status, description } = document['x-error-catalogue']?.[code] ?? {}
    return html`<tr><th scope="row"><a href="#error-${code}"><code>${code}</code></a></th><td><span class="status bad">${status}</span></td><td>${description}</td></tr>`
  })
  const more = html`<p class="quiet"><a href="#errors">Errors that every call may answer</a></p>`
  if (rows.length === 0) return more
  return html`<details><summary>Errors of its own (${rows.length})</summary><div class="scroll"><table class="errors"><tbody>${rows}</tbody></table></div>${more}</details>`
}

function samples(document: OpenApi, call: Call): Content {
  const [status, response] = Object.entries(call.responses)[0] ?? []
  const schema = response === undefined ? undefined : jsonSchema(resolved<Response>(document, response).content)
  return [
    codeBlock('Request', curlExample(document, call)),
    schema?.properties === undefined
      ? undefined
      : codeBlock(`Answer ${status}`, colouredJson(json(exampleOf(document, '', schema)))),
  ]
}
