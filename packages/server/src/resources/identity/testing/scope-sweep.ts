import assert from 'node:assert/strict'
import { inventories, isOptional, type Operation, uuidPattern } from '@wharf/contract'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, type Client, EventReader, insertScopedRecords, type TestServer } from '@wharf/testkit'

type Body = (operation: Operation) => object | undefined

interface SweepDeps {
  readonly server: TestServer
  readonly operations: readonly Operation[]
  /** A body with every required field. */
  readonly bodyOf: Body
}

/** Paths of records without a list of their own. */
const tablesOfPaths: Readonly<Record<string, string>> = {
  '/v1/software-package/install': 'softwarePackages',
  '/v1/migrate/vm-instances': 'gatewayVms',
}

/** The tables of the records that fields refer to; a new field needs an entry. */
const tablesOfFields: Readonly<Record<string, string>> = {
  uuid: 'clusterPlugins',
  hostUuid: 'hosts',
  hostUuids: 'hosts',
  resourceUuid: 'hosts',
  softwarePackageUuid: 'softwarePackages',
  alertPlatformUuids: 'thirdPartyPlatforms',
  platformUuids: 'thirdPartyPlatforms',
  accountUuid: 'accounts',
  userUuid: 'users',
  endpointUuid: 'chatEndpoints',
  managementNodeUuid: 'managementNodes',
  backupStorageUuid: 'backupStorage',
  windowUuid: 'maintenanceWindows',
  tagUuid: 'tags',
  tagUuids: 'tags',
}

const ruleOf = new Map(inventories.map(({ table, scope }) => [table, scope]))
const isScoped = (table: string | undefined): boolean => {
  const rule = ruleOf.get(table)
  assert.ok(rule !== undefined, `no record in ${table}`)
  return rule !== 'byRole'
}

/** Fields that name existing records. */
const references = ({ fields }: Operation): [name: string, isList: boolean][] =>
  Object.entries(fields as unknown as Record<string, { pattern?: string; items?: { pattern?: string } }>)
    .filter(([name, schema]) => !(name === 'resourceUuid' && isOptional(schema)))
    .filter(([, { pattern, items }]) => pattern === uuidPattern || items?.pattern === uuidPattern)
    .map(([name, { items }]) => [name, items !== undefined])

interface Row {
  readonly uuid?: string
  readonly actorName?: string
}

type Uuids = Readonly<Record<string, string>>

/** Without a limit in the call. */
const pageRows = 1000

/** Calls operations as an admin with a scope, with records within and outside it. */
export class ScopeSweep {
  readonly #deps: SweepDeps
  readonly #limited: Client
  readonly #inside: Uuids
  readonly #outside: Uuids
  /** Names and uuids that no answer may contain. */
  readonly #secrets: readonly string[]

  private constructor(deps: SweepDeps, limited: Client, inside: Uuids, outside: Uuids) {
    this.#deps = deps
    this.#limited = limited
    this.#inside = inside
    this.#outside = outside
    // chat endpoints belong to no host
    const { chatEndpoints: _, ...hidden } = outside
    this.#secrets = ['beyond-the-scope', deps.server.bootstrap.hostUuid, ...Object.values(hidden)]
  }

  static async start(deps: SweepDeps): Promise<ScopeSweep> {
    const { server } = deps
    const { database } = server.app.foundation
    const inside = await insertScopedRecords(database, { name: 'within-the-scope', labels: { team: 'web' } })
    const outside = await insertScopedRecords(database, { name: 'beyond-the-scope', labels: { team: 'db' } })
    // records that the caller finds name one that it does not
    const list = JSON.stringify([outside.thirdPartyPlatforms])
    await database.transaction(async (tx) => {
      await tx.updateTable('chatEndpoints').set({ platformUuids: list }).execute()
      await tx.updateTable('rollouts').set({ alertPlatformUuids: list }).execute()
    })
    const account = { name: 'limited', password: 'password of limited', role: 'admin', scope: ['labels.team=web'] }
    assert.equal((await server.admin.post('/v1/accounts', { params: account })).status, 200)
    return new ScopeSweep(deps, await server.logIn('limited', account.password), inside, outside)
  }

  get #operations(): readonly Operation[] {
    return this.#deps.operations.filter(({ permission, isForAllHosts }) => permission !== 'public' && !isForAllHosts)
  }

  /** Those whose path names a record. */
  get named(): readonly Operation[] {
    return this.#operations.filter(({ path }) => path.includes('{'))
  }

  /** Those whose fields name records. */
  get referring(): readonly Operation[] {
    return this.#operations.filter((operation) => references(operation).length > 0)
  }

  /** Those that read without naming a record. */
  get listing(): readonly Operation[] {
    return this.#operations.filter(
      ({ method, path, mode }) => method === 'GET' && mode !== 'stream' && !path.includes('{'),
    )
  }

  /** Those that neither name nor list records. */
  get others(): readonly Operation[] {
    const checked = new Set([...this.named, ...this.referring, ...this.listing])
    return this.#operations.filter((operation) => !checked.has(operation))
  }

  /** Those about all hosts are refused as a whole. */
  async checkForAllHosts(): Promise<void> {
    for (const operation of this.#deps.operations.filter(({ isForAllHosts }) => isForAllHosts)) {
      const answer = await this.#send(operation, operation.path, undefined)
      assert.equal(answer.status, 403, answer.text)
      this.#assertSilent(answer)
    }
  }

  /** Those that would use a credential which the caller did not send, or reach the machine of the server without one. */
  async checkOwnCredentials(): Promise<void> {
    const host = { name: 'new', address: 'new.example', username: 'root', labels: { team: 'web' } }
    const sftp = { name: 'new', type: 'sftp', url: 'sftp://new.example/packages', username: 'root' }
    const { hosts = '' } = await this.#insertInside()
    const withKey = await this.#insertHost({ sealedPrivateKey: Buffer.from('sealed') })
    const local = await this.#insertHost({ driver: 'local' })
    const storage = this.#deps.server.bootstrap.backupStorageUuid
    const changes = (path: string, structure: string, ...all: object[]) =>
      all.map((change) => ['PUT', `/v1/${path}/actions`, { [structure]: change }] as const)
    const calls = [
      ['POST', '/v1/hosts', { params: { ...host, driver: 'local' } }],
      ['POST', '/v1/hosts', { params: { ...host, driver: 'ssh' } }],
      ['POST', '/v1/backup-storage', { params: sftp }],
      ['POST', '/v1/backup-storage', { params: { name: 'new', type: 'folder', url: 'file:///srv/new' } }],
      ...[hosts, withKey].flatMap((uuid) =>
        changes(`hosts/${uuid}`, 'updateHost', { address: 'new.example' }, { sshPort: 23 }, { username: 'other' }),
      ),
      ...changes(`hosts/${withKey}`, 'updateHost', { clear: ['privateKey'] }),
      ...changes(`hosts/${local}`, 'updateHost', { address: 'beyond.example' }),
      ...changes(
        `backup-storage/${storage}`,
        'updateBackupStorage',
        { url: 'file:///srv/new' },
        { username: 'other' },
        { privateKey: 'a key' },
        { hostKeyFingerprint: 'SHA256:other' },
        { accessKeyId: 'other' },
        { secretAccessKey: 'other' },
        { region: 'other' },
        { clear: ['privateKey'] },
        { clear: ['region'] },
      ),
    ] as const
    for (const [method, path, body] of calls) {
      const answer = await this.#limited.call(method, path, body, { prefer: 'respond-async' })
      const sent = `${path} ${JSON.stringify(body)}`
      assert.deepEqual([answer.status, answer.body.error?.code], [403, 'ID.1002'], `${sent}: ${answer.text}`)
      assert.match(answer.text, /caller with a scope \(labels\.team=web\).*; .*an admin without a scope/)
      this.#assertSilent(answer)
    }
  }

  async checkNamed(operation: Operation): Promise<void> {
    const { method, path } = operation
    const table = this.#tableOfPath(operation)
    assert.ok(table !== undefined, `${path}: the table of its records is unknown to this test`)
    if (!isScoped(table)) return
    const pathOf = (uuid = ''): string => path.replaceAll(/\{\w+\}/g, uuid)
    const body = this.#deps.bodyOf(operation)
    const answer = await this.#assertUnknown(table, (uuid) => this.#send(operation, pathOf(uuid), body))
    assert.equal(answer.status, 404, answer.text)
    if (ruleOf.get(table) === 'nobody') return
    const { [table]: inside } = method === 'GET' ? this.#inside : await this.#insertInside()
    const found = await this.#send(operation, pathOf(inside), body)
    assert.notEqual(found.status, 404, found.text)
    assert.notEqual(found.status, 500, found.text)
    this.#assertSilent(found)
  }

  async checkReferences(operation: Operation): Promise<void> {
    const { structure = 'params', path } = operation
    for (const [field, isList] of references(operation)) {
      const table = tablesOfFields[field] ?? assert.fail(`the table of ${field} is unknown to this test`)
      if (!isScoped(table)) continue
      const body = this.#deps.bodyOf(operation) as Record<string, object> | undefined
      const known = path.replaceAll(/\{\w+\}/g, this.#inside[this.#tableOfPath(operation) ?? ''] ?? newUuid())
      const answer = await this.#assertUnknown(table, (uuid) =>
        this.#send(operation, known, { [structure]: { ...body?.[structure], [field]: isList ? [uuid] : uuid } }),
      )
      assert.ok(answer.status >= 400, answer.text)
    }
  }

  async checkList(operation: Operation): Promise<void> {
    const { path, queries } = operation
    const answer = await this.#send(operation, queries ? `${path}?replyWithCount=true` : path, undefined)
    if (queries === undefined) return this.#assertSilent(answer)
    const { inventories: rows, total } = answer.body as { inventories: Row[]; total: number }
    // the audit entries of its own calls have the uuids that it sent
    this.#assertSilent({ text: JSON.stringify(rows.filter(({ actorName }) => actorName !== 'limited')) })
    // audit entries fill more than a page
    assert.ok(total === rows.length || rows.length === pageRows, `${rows.length} of ${total}`)
    assert.equal((await this.#send(operation, `${path}?count=true`, undefined)).body.total, total)
    if (!isScoped(queries.table)) return
    const uuids = rows.flatMap(({ uuid }) => uuid ?? [])
    const hasInside = queries.scope !== 'nobody' && 'uuid' in queries.schema.properties
    const expected = hasInside ? [this.#inside[queries.table ?? '']] : []
    assert.deepEqual(
      uuids.filter((uuid) => Object.values(this.#inside).includes(uuid)),
      expected,
    )
  }

  async checkEvents(): Promise<void> {
    const { database, events } = this.#deps.server.app.foundation
    const reader = new EventReader(this.#limited, '/v1/events')
    await reader.status
    const types = inventories.filter(
      ({ scope, events: reported, schema }) =>
        scope !== undefined && scope !== 'byRole' && reported.length > 0 && 'uuid' in schema.properties,
    )
    await database.transaction(async (tx) => {
      for (const uuids of [this.#outside, this.#inside])
        for (const {
          table = '',
          events: [resourceType = ''],
        } of types)
          await events.record(tx, {
            type: 'Updated',
            resourceType: resourceType as 'Host',
            uuid: uuids[table] ?? '',
            isRoutine: true,
          })
      for (const { hosts = '' } of [this.#outside, this.#inside])
        await events.record(tx, {
          type: 'Deleted',
          resourceType: 'Host',
          uuid: hosts,
          isRoutine: true,
          hostLabels: await events.hostLabelsOf(tx, 'Host', hosts),
        })
    })
    const read = await reader.take(types.length + 1)
    reader.stop()
    const uuids = read.map(({ data }) => (JSON.parse(data) as { uuid: string }).uuid)
    assert.deepEqual(uuids, [...types.map(({ table = '' }) => this.#inside[table]), this.#inside.hosts])
  }

  async #insertHost(columns: { driver: 'local' } | { sealedPrivateKey: Buffer }): Promise<string> {
    const { hosts = '' } = await this.#insertInside()
    const { database } = this.#deps.server.app.foundation
    await database.transaction((tx) => tx.updateTable('hosts').set(columns).where('uuid', '=', hosts).execute())
    return hosts
  }

  /** A change may end the record that it names. */
  #insertInside(): Promise<Uuids> {
    const { database } = this.#deps.server.app.foundation
    const name = `within-${newUuid().slice(0, 8)}`
    return insertScopedRecords(database, { name, labels: { team: 'web' } })
  }

  #tableOfPath({ path }: Operation): string | undefined {
    const base = path.split('/{')[0] ?? ''
    const list = this.#deps.operations.find((one) => one.path === base && one.queries)
    return tablesOfPaths[base] ?? list?.queries?.table
  }

  #send({ method }: Operation, path: string, body: object | undefined): Promise<Answer> {
    return this.#limited.call(method, path, body, { prefer: 'respond-async' })
  }

  /** The answer to a record outside is that to a uuid which does not exist. */
  async #assertUnknown(table: string, call: (uuid: string) => Promise<Answer>): Promise<Answer> {
    const [unknown, outside] = [newUuid(), this.#outside[table] ?? assert.fail(`no record in ${table}`)]
    const [expected, actual] = [await call(unknown), await call(outside)]
    assert.deepEqual(shown(actual, outside), shown(expected, unknown))
    this.#assertSilent(actual, outside)
    return actual
  }

  /** Nothing about records outside, except what the call itself names. */
  #assertSilent({ text }: Pick<Answer, 'text'>, sent = ''): void {
    for (const secret of this.#secrets)
      if (secret !== sent) assert.ok(!text.includes(secret), `${secret} is in ${text}`)
  }
}

const shown = ({ status, text }: Answer, uuid: string) => ({
  status,
  text: text.replaceAll(uuid, 'UUID').replace(/\(request \w+\)/, ''),
})
