import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { TestServer } from '@wharf/testkit'
import openapiTS, { astToString } from 'openapi-typescript'

/** Clients generated from openapi.json by other tools. The contract tests check that the document is valid. */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const document = pathToFileURL(join(root, 'packages/contract/openapi.json'))
const folder = mkdtempSync(join(tmpdir(), 'wharf-generated-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, options: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(program, options, { cwd: folder, env: { ...process.env, ...env }, timeout: 60_000 })

test('the types that openapi-typescript generates compile and match the API', async () => {
  writeFileSync(join(folder, 'api.d.ts'), astToString(await openapiTS(document)))
  const uses = `
import type { components, operations, paths } from './api.d.ts'
export const status: components['schemas']['SoftwarePackageInventory']['status'] = 'Installed'
type Create = NonNullable<operations['createTag']['requestBody']>['content']['application/json']
export const body: Create = { params: { name: 'blue' } }
type Found = paths['/v1/hosts']['get']['responses'][200]['content']['application/json']
type Listed = NonNullable<Found['inventories']>[number]
declare const complete: components['schemas']['HostInventory']
export const listed: Listed[] = [complete, { name: 'web-1' }]
export const names = listed.map(({ name, sshPort }) => [name, sshPort])
// @ts-expect-error a name is required
export const nameless: Create = { params: {} }
// @ts-expect-error unknown status
export const unknown: components['schemas']['SoftwarePackageInventory']['status'] = 'Lost'
`
  writeFileSync(join(folder, 'uses.ts'), uses)
  const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'esnext']
  const compiled = await run(process.execPath, [
    join(root, 'node_modules/@typescript/native/bin/tsc'),
    ...options,
    '--types',
    '',
    'uses.ts',
    'api.d.ts',
  ]).catch(({ stdout }: { stdout: string }) => ({ stdout }))
  assert.equal(compiled.stdout, '')
})

/** Signs in, creates, finds and deletes a tag; the client itself rejects the last call by the schema. */
const perl = String.raw`
use strict; use warnings; use OpenAPI::Client;
my ($document, $url, $account, $password) = @ARGV;
my $client = OpenAPI::Client->new($document);
$client->base_url(Mojo::URL->new($url));
sub answer { my $res = shift->res; print $res->code, "\n"; $res->json }
my $login = { logInByAccount => { accountName => $account, password => $password } };
my $session = answer($client->logInByAccount({ body => $login }))->{inventory}{uuid};
$client->ua->on(start => sub { $_[1]->req->headers->header(Authorization => "OAuth $session") });
my $tag = answer($client->createTag({ body => { params => { name => 'perl' } } }))->{inventory};
print answer($client->queryTag({ q => ['name=perl'], limit => 5 }))->{inventories}[0]{uuid} eq $tag->{uuid}, "\n";
print answer($client->queryTag({ fields => ['name'], limit => 1 }))->{inventories}[0]{name}, "\n";
answer($client->deleteTag({ uuid => $tag->{uuid} }));
print answer($client->createTag({ body => { params => {} } }))->{errors}[0]{path}, "\n";
`

test('a Perl client of OpenAPI::Client signs in and calls operations', async () => {
  const server = await TestServer.start({ after })
  // prefilled cache: the client would otherwise download the OpenAPI 3.1 schema
  const schema = 'https://spec.openapis.org/oas/3.1/schema/2021-05-20'
  const anything = { $id: schema, $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }
  writeFileSync(join(folder, hash('md5', schema)), JSON.stringify(anything))
  writeFileSync(join(folder, 'client.pl'), perl)
  const { accountName, password } = server.bootstrap
  const { stdout } = await run('perl', ['client.pl', document.href, server.url, accountName, password], {
    JSON_VALIDATOR_CACHE_PATH: folder,
  })
  assert.deepEqual(stdout.trim().split('\n'), [
    '200',
    '200',
    '200',
    '1',
    '200',
    'perl',
    '200',
    '400',
    '/body/params/name',
  ])
})

test('every operation id is a valid method name', () => {
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, Record<string, object>> }
  const names = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => ('operationId' in operation ? [String(operation.operationId)] : []))
  assert.ok(names.length > 60)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z][A-Za-z]+$/)
})
