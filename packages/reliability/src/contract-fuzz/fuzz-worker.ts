import { hash } from 'node:crypto'
import { type ErrorCode, isOptional, type Operation, operations, pathVariableNames } from '@wharf/contract'
import { startTrial } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'
import { type Breakage, breakagesOf } from './breakages.ts'
import { type Draft, type Sent, sentOf } from './draft.ts'
import { validFields } from './fields.ts'
import type { FuzzFixture } from './fuzz-fixture.ts'
import { creatorAt, type Entry, type Kind, kindAt, Pool } from './pool.ts'
import { type Expected, faultOf } from './response-fault.ts'
import type { Received, Sender } from './sender.ts'
import { anyText } from './texts.ts'
import { alertCase, ingestionOperation, sliceCase } from './unlisted.ts'
import { updatePool } from './update-pool.ts'
import { formatUuid } from './values.ts'

/** How many of the preceding calls a fault report shows. */
const shownBefore = 40
const maxShown = 700

/** Which operation makes what is needed. */
const creators: Partial<Record<Kind, string>> = {
  accounts: 'CreateAccount',
  users: 'CreateUser',
  keys: 'CreateAccessKey',
  tags: 'CreateTag',
  hosts: 'AddHost',
  storages: 'AddBackupStorage',
  plugins: 'AddClusterPlugin',
  platforms: 'CreateClusterPluginAlertPlatform',
  endpoints: 'CreateChatAppEndpoint',
  persons: 'AddSNSChatAppAtPerson',
  packages: 'UploadSoftwarePackage',
  sessions: 'LogInByAccount',
  alerts: 'QueryThirdpartyAlert',
  deliveries: 'QueryDelivery',
  systemTags: 'QuerySystemTag',
  userTags: 'QueryUserTag',
  nodes: 'QueryManagementNode',
}
/** What a call needs beside the record in its path. */
const prerequisites: Readonly<Record<string, readonly Kind[]>> = {
  CreateUser: ['accounts'],
  CreateAccessKey: ['accounts'],
  LogInByAccount: ['accounts'],
  LogInByUser: ['users'],
  CreateClusterPluginAlertPlatform: ['plugins'],
  AttachClusterPluginAlerts: ['platforms'],
  UpdateClusterConfig: ['plugins', 'packages'],
  AddSNSChatAppAtPerson: ['endpoints'],
  CreateMigrateVmInstance: ['hosts'],
}
/** The state that the record should be in. */
const preferredStatus: Readonly<Record<string, string>> = {
  AttachClusterPluginAlerts: 'with a platform',
  InstallSoftwarePackage: 'Uploaded',
  UninstallSoftwarePackage: 'Installed',
  VerifySoftwarePackage: 'Installed',
  UnsilenceThirdpartyAlert: 'silenced',
  DenyRollout: 'AwaitingApproval',
  PauseRollout: 'Running',
  ResumeRollout: 'Paused',
  RollBackRollout: 'Running',
  DeleteRollout: 'Denied',
}

const valid: Expected = { kind: 'valid', allowedErrors: [] }

/** Of valid calls that nevertheless prove something wrong. */
function allowedErrors({ name, path, fields }: Operation): ErrorCode[] {
  if (path.endsWith('/login')) return ['ID.1000', 'ID.1003']
  // of two changes at once the second one fails, and each failure counts as a failed sign-in
  if (path === '/v1/caller-identity/actions' && 'password' in fields) return ['ID.1002', 'ID.1003']
  // no device shows the code, and each guess counts as a failed sign-in
  if (path === '/v1/device-logins/actions') return ['ID.1003']
  // the caller has created them all
  if (name === 'ApproveRollout') return ['ID.1002']
  // only an app or a browser knows the right answer
  return ['ConfirmAuthenticator', 'CreatePasskey'].includes(name) ? ['SYS.1007'] : []
}

const operationNamed = (name: string): Operation => {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`the contract has no ${name}`)
  return found
}

export interface WorkerFigures {
  valid: number
  broken: number
  /** Operations with an invalid call. */
  readonly brokenOperations: Set<string>
  /** Valid calls that succeeded, by operation. */
  readonly succeeded: Map<string, number>
  /** Answers that are not as they must be, each with the calls before it. */
  readonly faults: string[]
}

/** Makes calls one after another, each using what earlier ones created. */
export class FuzzWorker {
  readonly pool = new Pool()
  readonly figures: WorkerFigures = {
    valid: 0,
    broken: 0,
    brokenOperations: new Set(),
    succeeded: new Map(),
    faults: [],
  }
  readonly #fixture: FuzzFixture
  readonly #sender: Sender
  readonly #random: SeededRandom
  readonly #before: string[] = []
  readonly #breakages = new Map<Operation, Breakage[]>()

  constructor(fixture: FuzzFixture, sender: Sender, random: SeededRandom) {
    this.#fixture = fixture
    this.#sender = sender
    this.#random = random
  }

  async valid(operation: Operation, mustSucceed = false): Promise<Received> {
    const draft = await this.#draft(operation, mustSucceed)
    this.#varyEncoding(draft)
    this.figures.valid++
    const received = await this.#call(draft, { kind: 'valid', allowedErrors: draft.allowedErrors }, 'valid')
    if (draft.headers['idempotency-key'] !== undefined && received.status === 200) await this.#repeat(draft, received)
    // 202 means only that the job was started
    if (received.status === 200 || (operation.name === 'GetApiJob' && [202, 503].includes(received.status)))
      this.figures.succeeded.set(operation.name, (this.figures.succeeded.get(operation.name) ?? 0) + 1)
    return received
  }

  /** The same call with the same key has the same answer, but for what is shown once. */
  async #repeat(draft: Draft, first: Received): Promise<void> {
    const again = await this.#call(draft, { kind: 'valid', allowedErrors: draft.allowedErrors }, 'repeated')
    const isShownOnce = JSON.stringify(draft.operation.answer).includes('"x-shown-once":true')
    if (again.status !== 200 || (!isShownOnce && again.text !== first.text))
      this.#reportFault(
        'a repeated call has a different answer',
        `${JSON.stringify(sentOf(draft).target)}: ${first.text} and ${again.status} ${again.text}`,
      )
  }

  /** One after another of the rules that this operation has. */
  async broken(operation: Operation): Promise<void> {
    const left = this.#breakages.get(operation) ?? []
    const all = left.length > 0 ? left : breakagesOf(operation, this.#fixture.secret)
    const [breakage] = all.splice(this.#random.between(0, all.length - 1), 1)
    this.#breakages.set(operation, all)
    if (breakage === undefined) return
    const draft = await this.#draft(operation, false)
    breakage.apply(draft)
    this.figures.broken++
    this.figures.brokenOperations.add(operation.name)
    await this.#call(draft, breakage.expected, breakage.rule)
  }

  /** Sends alerts as another platform does, so that alerts and deliveries exist. */
  async alerts(mustSucceed = false): Promise<void> {
    await this.#ensure('platforms')
    await this.#ensure('endpoints')
    const platform = this.pool.pick('platforms', this.#random)
    if (platform === undefined) return
    const { uuid } = platform
    const reset = operationNamed('ResetThirdpartyToken')
    if (platform.token === undefined) await this.#call({ ...(await this.#draft(reset, true)), uuid }, valid, 'valid')
    const token = String(this.pool.get('platforms', uuid)?.token)
    const { sent, expected, rule } = alertCase(this.#random, { uuid, token }, mustSucceed)
    const received = await this.#sender.send(sent)
    if (received.status === 404) this.pool.remove('platforms', uuid)
    else this.#check(ingestionOperation, sent, received, expected, rule)
  }

  /** A call at the address of an upload that was started. */
  async slices(): Promise<void> {
    if (this.pool.all('uploadAddresses').length === 0) return
    const { uuid: address } = this.pool.pick('uploadAddresses', this.#random) as Entry
    const { sent, statuses } = sliceCase(this.#random, address)
    const received = await this.#sender.send(sent)
    const shown = `${sent.method} ${sent.target} ${JSON.stringify(sent.headers)} → ${received.status} ${received.text}`
    if (!statuses.includes(received.status)) this.#reportFault(`it should be one of ${statuses}`, shown)
    if (received.status === 410) this.pool.remove('uploadAddresses', address)
  }

  async #draft(operation: Operation, mustSucceed: boolean): Promise<Draft> {
    for (const kind of prerequisites[operation.name] ?? []) await this.#ensure(kind)
    const uuid = operation.path.includes('{uuid}') ? await this.#subject(operation, mustSucceed) : undefined
    const subject = uuid === undefined ? undefined : this.pool.get(kindAt(operation.path), uuid)
    const context = { fixture: this.#fixture, pool: this.pool, random: this.#random, mustSucceed, subject }
    const fields = validFields(operation, context)
    return {
      operation,
      uuid,
      fields,
      extraFields: {},
      carrier: 'body',
      headers: {},
      as: 'admin',
      allowedErrors: allowedErrors(operation),
    }
  }

  /** The record of the call: nearly always an existing one. */
  async #subject(operation: Operation, mustSucceed: boolean): Promise<string> {
    const kind = kindAt(operation.path)
    const isCancel = operation.name === 'CancelApiJob' && this.#random.happens(0.6)
    if (!mustSucceed && this.#random.happens(0.05)) return this.#random.hex(32)
    if (isCancel || kind === 'jobs') await this.#startBlockedJob()
    await this.#ensure(kind)
    const status = preferredStatus[operation.name]
    const known = this.pool.pick(
      isCancel ? 'heldJobs' : kind,
      this.#random,
      (entry) => status === undefined || (entry.status ?? entry.state) === status,
    )
    if (isCancel && known) this.pool.remove('heldJobs', known.uuid)
    // the pool has session ids, and a record has the beginning of the hash
    if (operation.name === 'EndSession' && known) return hash('sha256', known.uuid).slice(0, 32)
    return known?.uuid ?? this.#random.hex(32)
  }

  async #ensure(kind: Kind): Promise<void> {
    if (this.pool.all(kind).length > 0) return
    if (kind === 'alerts' || kind === 'deliveries') await this.alerts(true)
    const name = creators[kind]
    const creator = name === undefined ? creatorAt(kind) : operationNamed(name)
    if (creator !== undefined) await this.valid(creator, true)
  }

  /** Starts a job that runs until it is cancelled, unless one exists. */
  async #startBlockedJob(): Promise<void> {
    if (this.pool.all('heldJobs').length > 0) return
    const script = JSON.stringify({ trace: `${this.#fixture.folder}/trace`, holdAt: 'run second' })
    const draft = {
      ...(await this.#draft(startTrial, true)),
      fields: { script },
      headers: { prefer: 'respond-async', 'x-api-timeout': '600' },
    }
    await this.#call(draft, valid, 'valid')
    const job = this.pool.all('jobs').findLast(({ operation }) => operation === startTrial)
    if (job !== undefined) this.pool.add('heldJobs', job)
  }

  /** The same call can be made in several ways. */
  #varyEncoding(draft: Draft): void {
    const { operation } = draft
    const random = this.#random
    if (operation.method === 'DELETE' && random.happens(0.5)) draft.carrier = 'query'
    if (operation.configTag !== undefined && random.happens(0.2)) draft.carrier = 'tag'
    if (draft.uuid !== undefined && random.happens(0.1))
      draft.fields[random.pick([...pathVariableNames(operation.path).keys()])] = formatUuid(draft.uuid, random)
    const absent = Object.keys(operation.fields).filter(
      (name) => isOptional(operation.fields[name]) && draft.fields[name] === undefined,
    )
    if (absent.length > 0 && random.happens(0.1)) draft.fields[random.pick(absent)] = ''
    if (random.happens(0.2)) draft.extraFields.userTags = [anyText(random, 60)]
    if (operation.method === 'GET' || operation.repeatable === false) return
    if (random.happens(0.15))
      draft.headers[random.pick(['idempotency-key', 'idempotency-key', 'x-job-uuid'])] = random.hex(32)
    if (operation.mode === 'job' && random.happens(0.15))
      draft.headers.prefer = random.pick(['respond-async', 'wait=1'])
    if (operation.mode === 'job' && random.happens(0.1)) draft.headers['x-api-timeout'] = '600'
  }

  async #call(draft: Draft, expected: Expected, rule: string): Promise<Received> {
    const sent = sentOf(draft)
    const received = await this.#sender.send(sent)
    const job = this.pool.get('jobs', draft.uuid)
    this.#check(draft.operation, sent, received, expected, rule, job?.operation as Operation | undefined)
    updatePool(this.pool, draft, received.status, received.text)
    return received
  }

  #check(
    operation: Operation,
    sent: Sent,
    received: Received,
    expected: Expected,
    rule: string,
    jobOperation?: Operation,
  ): void {
    const call = `${sent.method} ${sent.target} ${sent.body?.toString() ?? ''} ${JSON.stringify(sent.headers)}`
    const answer = `${received.status} ${received.text.slice(0, maxShown)}`
    const shown = `${call.slice(0, maxShown)} (${operation.name}, ${rule}) → ${answer}`
    const isPolling = sent.headers['x-job-uuid'] !== undefined
    const fault = faultOf({ operation, expected, received, jobOperation, isPolling }) ?? this.#leak(operation, received)
    if (fault !== undefined) this.#reportFault(fault, shown)
    this.#before.push(shown.slice(0, 300))
    if (this.#before.length > shownBefore) this.#before.shift()
  }

  #reportFault(fault: string, shown: string): void {
    this.figures.faults.push(`${fault}:\n${shown}\nbefore it:\n${this.#before.join('\n')}`)
  }

  /** Secrets are shown once, in the answer of what makes them. */
  #leak({ name }: Operation, { status, text, headers }: Received): string | undefined {
    if (name === 'CreateAccessKey' && status === 200) return undefined
    const isShown = this.#fixture.canaries.findIn(text + JSON.stringify(headers)).length > 0
    return isShown ? 'it shows a secret' : undefined
  }
}
