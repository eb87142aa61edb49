import { codeBlock } from './code-block.ts'
import type { OpenApi } from './document.ts'
import { type Html, html, inline, prose } from './html.ts'

/** What applies to all calls. */
interface Chapter {
  readonly id: string
  readonly title: string
  readonly text: (document: OpenApi) => readonly Html[]
  readonly sample?: Html
}

const scheme = (document: OpenApi, name: string): Html[] =>
  prose(document.components.securitySchemes?.[name]?.description ?? '')

// the script of the page inserts the current address
const signIn = html`export WHARF_URL=<span data-address>http://127.0.0.1:8080/wharf</span>
SESSION=$(curl -s -X PUT "$WHARF_URL/v1/accounts/login" \\
  -H 'Content-Type: application/json' \\
  -d '{"logInByAccount": {
        "accountName": "admin", "password": "…"}}' \\
  | sed 's/.*"uuid":"\\([0-9a-f]*\\)".*/\\1/')
curl -H "Authorization: OAuth $SESSION" "$WHARF_URL/v1/hosts"`

const sign = html`DATE=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
SIGNATURE=$(printf 'GET\\n%s\\n/v1/hosts' "$DATE" \\
  | openssl dgst -sha1 -hmac "$SECRET" -binary | base64)
curl "$WHARF_URL/v1/hosts" -H "Date: $DATE" \\
  -H "Authorization: Service $KEY_ID:$SIGNATURE"`

const failure = html`{
  <b>"success"</b>: false,
  <b>"error"</b>: {
    <b>"code"</b>: <i>"SYS.1003"</i>,
    <b>"description"</b>: <i>"resource not found"</i>,
    <b>"details"</b>: <i>"no host has the uuid 36c2… [request …]"</i>,
    <b>"elaboration"</b>: null, <b>"opaque"</b>: null, <b>"cause"</b>: null
  }
}`

const follow = html`curl -X POST "$WHARF_URL/v1/software-packages/upload" \\
  -H "Authorization: OAuth $SESSION" \\
  -H 'Content-Type: application/json' \\
  -H 'Prefer: respond-async' -d @upload.json
<i># 202 {"location": "…/v1/api-jobs/…?token=…", "success": true, "error": null}</i>
curl "…/v1/api-jobs/…?token=…"`

const query = html`curl -G "$WHARF_URL/v1/software-package" \\
  -H "Authorization: OAuth $SESSION" \\
  --data-urlencode 'q=status?=Uploaded,Installed' \\
  --data-urlencode 'q=name~=sto%' \\
  --data-urlencode 'sort=-createDate' -d limit=20 -d replyWithCount=true`

const operators = ['=', '!=', '>', '>=', '<', '<=', '?=', '!?=', '~=', '!~=', ' is null', ' not null']

const chapters: readonly Chapter[] = [
  {
    id: 'guide-session',
    title: 'Sign in and call',
    text: (document) => [
      html`<p>After the first start the account <code>admin</code>, its password and an access key stand in
<code>bootstrap.json</code> in the data folder. Signing in gives a session; every other call carries it.</p>`,
      ...scheme(document, 'session'),
    ],
    sample: codeBlock('Shell', signIn),
  },
  {
    id: 'guide-access-key',
    title: 'Sign with an access key',
    text: (document) => [...scheme(document, 'accessKey'), ...scheme(document, 'messageSignature')],
    sample: codeBlock('Shell', sign),
  },
  {
    id: 'guide-answers',
    title: 'Read the answer',
    text: () => [
      html`<p>Bodies are JSON in UTF-8. A call that worked answers 200 with <code>success: true</code>,
<code>error: null</code> and the fields of its operation; fields that are unknown are null, never absent.</p>`,
      html`<p>A call that failed answers <code>success: false</code> and the error, with the status of
<a href="#errors">its code</a>. A call that is refused has changed nothing; an unknown field is refused by its name.</p>`,
    ],
    sample: codeBlock('Failure', failure),
  },
  {
    id: 'guide-jobs',
    title: 'Long operations',
    text: () => [
      html`<p>An operation marked <span class="chip">job</span> survives a restart of the server and a lost connection. The
call waits for its end; when that takes too long, or with <code>Prefer: respond-async</code> at once, it answers 202 and a
location. The location answers 202 while the job runs, 200 with the operation's own answer, or 503 with its failure.</p>`,
      html`<p>Send an <code>Idempotency-Key</code> and repeat a call without fear: the same key brings the same answer.</p>`,
    ],
    sample: codeBlock('Shell', follow),
  },
  {
    id: 'guide-query',
    title: 'Query collections',
    text: () => [
      html`<p>Every collection takes conditions in <code>q</code>, which may repeat; records match all of them. A condition is a
field, an operator and a value. The operators are ${operators.map((operator) => html`<code>${operator}</code> `)}. <code>?=</code> takes a list with commas,
<code>~=</code> a pattern with <code>%</code> and <code>_</code>.</p>`,
      html`<p><code>sort=-createDate</code>, <code>start</code> and <code>limit</code> page through the result;
<code>fields=uuid,name</code> sends only those; <code>count=true</code> only counts.</p>`,
    ],
    sample: codeBlock('Shell', query),
  },
]

export const guideLinks = chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)

export const guide = (document: OpenApi): Html => html`<section class="guide">
<header id="top"><h1>Wharf API <span class="version">${document.info.version}</span></h1>
<div class="lead">${prose(document.info.description?.split(/\n\s*\n/)[0] ?? '')}</div></header>
${chapters.map(
  ({ id, title, text, sample }) => html`<article id="${id}" class="chapter"><div class="text">
<h2><a href="#${id}">${inline(title)}</a></h2>${text(document)}</div><div class="samples">${sample}</div></article>`,
)}</section>`
