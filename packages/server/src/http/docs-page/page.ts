import { callsOf } from './actions.ts'
import { type Call, isPartialRecord, type OpenApi } from './document.ts'
import { fieldsOf, fieldTable } from './field-table.ts'
import { guide, guideLinks } from './guide.ts'
import { type Content, type Html, html, inline } from './html.ts'
import { operationSection } from './operation-section.ts'

/** `base` is the relative path from the page to its folder: `` for /docs, `../` for /docs/. */
export function docsPage(document: OpenApi, base: '' | '../'): string {
  const calls = callsOf(document)
  const resources = document.tags.map((tag) => ({
    ...tag,
    calls: calls.filter((call) => call.tags.includes(tag.name)),
  }))
  const records = Object.entries(document.components.schemas).filter(([name]) => !isPartialRecord(document, name))
  const common = errorsOfEvery(calls)
  const page = html`<!doctype html>
<html lang="en" data-base="${base === '' ? './' : base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Wharf API</title>
<link rel="icon" href="${base}docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}docs/docs.css">
<script src="${base}docs/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="#top"><img src="${base}docs/icon.svg" alt="" width="24" height="24">Wharf API</a>
<label class="search"><span class="hidden">Search operations and fields</span><input type="search" id="search" placeholder="Search operations, paths and fields" autocomplete="off" spellcheck="false"><kbd>/</kbd></label>
<a class="button" href="${base}openapi.json">openapi.json</a>
<button class="button" id="theme" type="button" hidden>Dark</button>
</header>
<div class="columns">
<nav class="side" aria-label="Contents">
<h2>Guide</h2><ul>${guideLinks}</ul>
${resources.map((resource) => navigation(resource.name, resource.calls))}
<h2>Reference</h2><ul><li><a href="#records">Records</a></li><li><a href="#errors">Error codes</a></li></ul>
</nav>
<main id="content">
${guide(document)}
${resources.map(({ name, description, calls }) => {
  return html`<section id="${anchor(name)}" class="resource"><h2><a href="#${anchor(name)}">${titleOf(name)}</a></h2><p class="lead">${description}</p>
${calls.map((call) => operationSection(document, call, common))}</section>`
})}
${recordsSection(
  document,
  records.map(([name]) => name),
)}
${errorsSection(document, common)}
<p id="nothing" class="lead" hidden>Nothing matches.</p>
</main>
</div>
</body>
</html>
`
  return page.markup
}

const anchor = (resource: string): string => `resource-${resource}`
const titleOf = (resource: string): string => {
  const words = resource.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const navigation = (resource: string, calls: readonly Call[]): Html =>
  html`<h2><a href="#${anchor(resource)}">${titleOf(resource)}</a></h2><ul>${calls.map((call) => {
    const short = { DELETE: 'DEL' }[call.method] ?? call.method
    const planned = call['x-served'] === false ? 'planned' : ''
    return html`<li class="${planned}"><a href="#${call.operationId}"><span class="method ${call.method.toLowerCase()}">${short}</span>${wordsOf(call.operationId)}</a></li>`
  })}</ul>`

/** `addSNSChatAppAtPerson` → `Add SNS chat app at person`: short enough for the navigation. */
const wordsOf = (operationId: string): string => {
  const words = operationId.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
  const written = words
    .map((word) => (/^([A-Z]+|Api|Vm)$/.test(word) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ')
  return written.charAt(0).toUpperCase() + written.slice(1)
}

function errorsOfEvery(calls: readonly Call[]): ReadonlySet<string> {
  // the URL of an upload is its credential, which fails in its own way
  const signedIn = calls.filter(({ security = [] }) => !security.some((scheme) => 'uploadSignature' in scheme))
  const sets = signedIn.map((call) => new Set(call['x-errors'] ?? []))
  return sets.length === 0 ? new Set() : sets.reduce((common, set) => common.intersection(set))
}

function recordsSection(document: OpenApi, names: readonly string[]): Html {
  const records = names.map((name) => {
    const schema = document.components.schemas[name] ?? {}
    const fields = fieldsOf(schema)
    const since = mostFrequent(fields.map((field) => field.schema['x-since'] ?? ''))
    return html`<article id="${name}" class="record"><h3><a href="#${name}">${name}</a> <span class="chip since">since ${since}</span></h3>
${fieldTable(document, fields, { since, of: 'answer' })}</article>`
  })
  return html`<section id="records" class="resource"><h2><a href="#records">Records</a></h2>
<p class="lead">What the answers are made of.</p>${records}</section>`
}

const mostFrequent = (values: readonly string[]): string =>
  [...Map.groupBy(values, (value) => value).values()].sort((a, b) => b.length - a.length)[0]?.[0] ?? ''

function errorsSection(document: OpenApi, common: ReadonlySet<string>): Html {
  const rows = Object.entries(document['x-error-catalogue'] ?? {}).map(([code, { status, description }]): Content => {
    const everywhere = common.has(code) ? html`<span class="chip quiet">every call</span>` : undefined
    return html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td><span class="status bad">${status}</span></td><td>${inline(description)} ${everywhere}</td></tr>`
  })
  return html`<section id="errors" class="resource"><h2><a href="#errors">Error codes</a></h2>
<p class="lead">Every failure has one of these codes, and a code has one status.</p>
<article class="record"><div class="scroll"><table class="errors"><tbody>${rows}</tbody></table></div></article></section>`
}
