import { isOptional, type Operation, operations, pathVariableNames } from '@wharf/contract'
import { startTrial } from '@wharf/testkit'
import type { Chance } from '../chance.ts'
import { type Breakage, breakagesOf } from './broken.ts'
import { type Draft, type Sent, sentOf } from './draft.ts'
import { validFields } from './fields.ts'
import { type Expected, faultOf } from './judge.ts'
import { learn } from './learn.ts'
import { type Entry, type Kind, kindAt, Pool } from './pool.ts'
import type { Received, Sender } from './send.ts'
import { anyText } from './texts.ts'
import { alertCase, ingestionOperation, sliceCase } from './unlisted.ts'
import { written } from './values.ts'
import type { FuzzWorld } from './world.ts'

/** How much of what went before is told with a fault. */
const shownBefore = 40
const maxShown = 700

/** Which operation makes what is needed. */
const makers: Partial<Record<Kind, string>> = {
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
const needs: Readonly<Record<string, readonly Kind[]>> = {
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
const preferred: Readonly<Record<string, string>> = {
  AttachClusterPluginAlerts: 'with a platform',
  InstallSoftwarePackage: 'Uploaded',
  UninstallSoftwarePackage: 'Installed',
}

const valid: Expected = { kind: 'valid', mayMeet: [] }

const operationNamed = (name: string): Operation => {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`the contract has no ${name}`)
  return found
}

export interface LaneFigures {
  valid: number
  broken: number
  /** Valid calls that succeeded, by operation. */
  readonly succeeded: Map<string, number>
  /** Answers that are not as they must be, each with the calls before it. */
  readonly faults: string[]
}

/** Calls one after another, each using what those before it have made. */
export class Lane {
  readonly pool = new Pool()
  readonly figures: LaneFigures = { valid: 0, broken: 0, succeeded: new Map(), faults: [] }
  readonly #world: FuzzWorld
  readonly #sender: Sender
  readonly #chance: Chance
  readonly #before: string[] = []
  readonly #breakages = new Map<Operation, Breakage[]>()

  constructor(world: FuzzWorld, sender: Sender, chance: Chance) {
    this.#world = world
    this.#sender = sender
    this.#chance = chance
  }

  async valid(operation: Operation, isSure = false): Promise<Received> {
    const draft = await this.#draft(operation, isSure)
    this.#carryOtherwise(draft)
    this.figures.valid++
    const received = await this.#call(draft, { kind: 'valid', mayMeet: draft.mayMeet }, 'valid')
    if (draft.headers['idempotency-key'] !== undefined && received.status === 200) await this.#repeat(draft, received)
    // 202 says only that it was begun
    if (received.status === 200 || (operation.name === 'GetApiJob' && [202, 503].includes(received.status)))
      this.figures.succeeded.set(operation.name, (this.figures.succeeded.get(operation.name) ?? 0) + 1)
    return received
  }

  /** The same call with the same key has the same answer, but for what is shown once. */
  async #repeat(draft: Draft, first: Received): Promise<void> {
    const again = await this.#call(draft, { kind: 'valid', mayMeet: draft.mayMeet }, 'repeated')
    const isShownOnce = JSON.stringify(draft.operation.answer).includes('"x-shown-once":true')
    if (again.status !== 200 || (!isShownOnce && again.text !== first.text))
      this.#blame(
        'a repeated call has another answer',
        `${JSON.stringify(sentOf(draft).target)}: ${first.text} and ${again.status} ${again.text}`,
      )
  }

  /** One after another of the rules that this operation has. */
  async broken(operation: Operation): Promise<void> {
    const left = this.#breakages.get(operation) ?? []
    const all = left.length > 0 ? left : breakagesOf(operation, this.#world.secret)
    const [breakage] = all.splice(this.#chance.between(0, all.length - 1), 1)
    this.#breakages.set(operation, all)
    if (breakage === undefined) return
    const draft = await this.#draft(operation, false)
    breakage.apply(draft)
    this.figures.broken++
    await this.#call(draft, breakage.expected, breakage.rule)
  }

  /** Alerts as another platform sends them, so that there are some, and deliveries of them. */
  async alerts(isSure = false): Promise<void> {
    await this.#need('platforms')
    await this.#need('endpoints')
    const platform = this.pool.pick('platforms', this.#chance)
    if (platform === undefined) return
    const { uuid } = platform
    const reset = operationNamed('ResetThirdpartyToken')
    if (platform.token === undefined) await this.#call({ ...(await this.#draft(reset, true)), uuid }, valid, 'valid')
    const token = String(this.pool.get('platforms', uuid)?.token)
    const { sent, expected, rule } = alertCase(this.#chance, { uuid, token }, isSure)
    const received = await this.#sender.send(sent)
    if (received.status === 404) this.pool.remove('platforms', uuid)
    else this.#judge(ingestionOperation, sent, received, expected, rule)
  }

  /** A call at the address of an upload that was begun. */
  async slices(): Promise<void> {
    if (this.pool.all('uploadAddresses').length === 0) return
    const { uuid: address } = this.pool.pick('uploadAddresses', this.#chance) as Entry
    const { sent, statuses } = sliceCase(this.#chance, address)
    const received = await this.#sender.send(sent)
    const shown = `${sent.method} ${sent.target} ${JSON.stringify(sent.headers)} → ${received.status} ${received.text}`
    if (!statuses.includes(received.status)) this.#blame(`it should be one of ${statuses}`, shown)
    if (received.status === 410) this.pool.remove('uploadAddresses', address)
  }

  async #draft(operation: Operation, isSure: boolean): Promise<Draft> {
    for (const kind of needs[operation.name] ?? []) await this.#need(kind)
    const uuid = operation.path.includes('{uuid}') ? await this.#subject(operation, isSure) : undefined
    const subject = uuid === undefined ? undefined : this.pool.get(kindAt(operation.path), uuid)
    const makings = { world: this.#world, pool: this.pool, chance: this.#chance, isSure, subject }
    const fields = validFields(operation, makings)
    const isLogin = operation.path.endsWith('/login')
    return {
      operation,
      uuid,
      fields,
      beside: {},
      carrier: 'body',
      headers: {},
      as: 'admin',
      mayMeet: isLogin ? ['ID.1000', 'ID.1003'] : [],
    }
  }

  /** Which record is called: nearly always one that is there. */
  async #subject(operation: Operation, isSure: boolean): Promise<string> {
    const kind = kindAt(operation.path)
    const isCancel = operation.name === 'CancelApiJob' && this.#chance.happens(0.6)
    if (!isSure && this.#chance.happens(0.05)) return this.#chance.hex(32)
    if (isCancel || kind === 'jobs') await this.#holdJob()
    await this.#need(kind)
    const status = preferred[operation.name]
    const known = this.pool.pick(
      isCancel ? 'heldJobs' : kind,
      this.#chance,
      (entry) => status === undefined || entry.status === status,
    )
    if (isCancel && known) this.pool.remove('heldJobs', known.uuid)
    return known?.uuid ?? this.#chance.hex(32)
  }

  async #need(kind: Kind): Promise<void> {
    if (this.pool.all(kind).length > 0) return
    if (kind === 'alerts' || kind === 'deliveries') await this.alerts(true)
    const maker = makers[kind]
    if (maker !== undefined) await this.valid(operationNamed(maker), true)
  }

  /** A job that runs until it is cancelled, if there is none. */
  async #holdJob(): Promise<void> {
    if (this.pool.all('heldJobs').length > 0) return
    const script = JSON.stringify({ trace: `${this.#world.folder}/trace`, holdAt: 'run second' })
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
  #carryOtherwise(draft: Draft): void {
    const { operation } = draft
    const chance = this.#chance
    if (operation.method === 'DELETE' && chance.happens(0.5)) draft.carrier = 'query'
    if (operation.configTag !== undefined && chance.happens(0.2)) draft.carrier = 'tag'
    if (draft.uuid !== undefined && chance.happens(0.1))
      draft.fields[chance.pick([...pathVariableNames(operation.path).keys()])] = written(draft.uuid, chance)
    const absent = Object.keys(operation.fields).filter(
      (name) => isOptional(operation.fields[name]) && draft.fields[name] === undefined,
    )
    if (absent.length > 0 && chance.happens(0.1)) draft.fields[chance.pick(absent)] = ''
    if (chance.happens(0.2)) draft.beside.userTags = [anyText(chance, 60)]
    if (operation.method === 'GET' || operation.repeatable === false) return
    if (chance.happens(0.15))
      draft.headers[chance.pick(['idempotency-key', 'idempotency-key', 'x-job-uuid'])] = chance.hex(32)
    if (operation.mode === 'job' && chance.happens(0.15))
      draft.headers.prefer = chance.pick(['respond-async', 'wait=1'])
    if (operation.mode === 'job' && chance.happens(0.1)) draft.headers['x-api-timeout'] = '600'
  }

  async #call(draft: Draft, expected: Expected, rule: string): Promise<Received> {
    const sent = sentOf(draft)
    const received = await this.#sender.send(sent)
    const job = this.pool.get('jobs', draft.uuid)
    this.#judge(draft.operation, sent, received, expected, rule, job?.operation as Operation | undefined)
    learn(this.pool, draft, received.status, received.text)
    return received
  }

  #judge(
    operation: Operation,
    sent: Sent,
    received: Received,
    expected: Expected,
    rule: string,
    answered?: Operation,
  ): void {
    const call = `${sent.method} ${sent.target} ${sent.body?.toString() ?? ''} ${JSON.stringify(sent.headers)}`
    const answer = `${received.status} ${received.text.slice(0, maxShown)}`
    const shown = `${call.slice(0, maxShown)} (${operation.name}, ${rule}) → ${answer}`
    const isPolling = sent.headers['x-job-uuid'] !== undefined
    const fault = faultOf({ operation, expected, received, answered, isPolling }) ?? this.#leak(operation, received)
    if (fault !== undefined) this.#blame(fault, shown)
    this.#before.push(shown.slice(0, 300))
    if (this.#before.length > shownBefore) this.#before.shift()
  }

  #blame(fault: string, shown: string): void {
    this.figures.faults.push(`${fault}:\n${shown}\nbefore it:\n${this.#before.join('\n')}`)
  }

  /** Secrets are shown once, in the answer of what makes them. */
  #leak({ name }: Operation, { status, text, headers }: Received): string | undefined {
    if (name === 'CreateAccessKey' && status === 200) return undefined
    const isShown = this.#world.canaries.findIn(text + JSON.stringify(headers)).length > 0
    return isShown ? 'it shows a secret' : undefined
  }
}
