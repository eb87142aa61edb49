import { mkdirSync } from 'node:fs'
import { hostConnectionFields, isOptional, type Operation } from '@wharf/contract'
import type { Schema } from './bad-values.ts'
import type { Fields } from './draft.ts'
import { closedPort } from './fuzz-fixture.ts'
import { queryFieldsFor } from './query-fields.ts'
import { anyText, plainWord } from './texts.ts'
import { freshName, type ValueContext, validValue } from './values.ts'

/** The fields of a valid call: what is required, some of the rest, and the rules that no schema expresses. */
export function validFields(operation: Operation, context: ValueContext): Fields {
  if (operation.queries !== undefined)
    return queryFieldsFor(operation, context.pool.seen.get(collectionOf(operation)) ?? [], context.random)
  const fields = declaredFields(operation, context)
  return { ...fields, ...fieldRules[operation.name]?.(context, fields) }
}

export const collectionOf = ({ path }: Operation): string => path.replace('/{uuid}', '')

function declaredFields({ fields }: Operation, context: ValueContext): Fields {
  const entries = Object.entries(fields) as unknown as [string, Schema][]
  const wanted = entries.filter(([, schema]) => !isOptional(schema) || context.random.happens(0.3))
  return Object.fromEntries(wanted.map(([name, schema]) => [name, validValue(name, schema, context)]))
}

const without = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, undefined]))

/** What an update empties it does not set. */
const cleared = (names: unknown): Fields => without(...((names ?? []) as string[]))

/** Rules that the schema of an operation cannot express: what replaces the declared fields. */
const fieldRules: Record<string, (context: ValueContext, fields: Fields) => Fields> = {
  CreateAccount: (context) => ({ name: freshName(context) }),
  CreateUser: (context) => ({ name: freshName(context) }),
  UpdateAccount: ({ fixture }) => ({ password: fixture.secretText(), oldPassword: undefined }),
  ChangeOwnPassword: ({ fixture }) => {
    const { password } = fixture.server.bootstrap
    return { password, oldPassword: password }
  },
  EnrolAuthenticator: ({ fixture }) => ({ password: fixture.server.bootstrap.password }),
  CreateRecoveryCodes: ({ fixture }) => ({ password: fixture.server.bootstrap.password }),
  CreatePasskeyChallenge: ({ fixture }) => ({ password: fixture.server.bootstrap.password }),
  UpdateUser: ({ random, fixture }) =>
    random.happens(0.5) ? { role: 'operator' } : { password: fixture.secretText() },
  CreateAccessKey: ({ pool, random }) => {
    const uuid = pool.pick('accounts', random)?.uuid ?? random.hex(32)
    return {
      accountUuid: uuid,
      userUuid: uuid,
      role: random.pick([undefined, 'reader']),
      operations: random.pick([undefined, ['QueryHost', 'tags:*']]),
      allowedCidrs: random.pick([undefined, ['127.0.0.0/8', 'fd00::/8', '192.0.2.7']]),
      schemes: random.pick([undefined, ['rfc9421'], ['rfc9421', 'service']]),
      expiresDate: random.pick([undefined, '2100-01-31', 'Jan 31, 2100 1:02:03 AM']),
      publicKey: undefined,
    }
  },
  RotateAccessKey: () => ({ publicKey: undefined }),
  LogInByAccount: ({ pool, random, fixture, mustSucceed }) => {
    const account = pool.pick('accounts', random)
    const isWrong = !mustSucceed && random.happens(0.03)
    return {
      accountName: account?.name ?? 'nobody',
      password: isWrong ? fixture.secretText() : (account?.password ?? 'x'),
    }
  },
  LogInByUser: ({ pool, random }) => {
    const user = pool.pick('users', random)
    return {
      accountUuid: user?.accountUuid ?? random.hex(32),
      accountName: undefined,
      userName: user?.name ?? 'nobody',
      password: user?.password ?? 'x',
    }
  },
  StartOidcSignIn: ({ random }) => ({ address: random.pick([undefined, 'https://wharf.example.com/wharf']) }),
  AddHost: ({ fixture: { host }, random, mustSucceed }) => {
    if (mustSucceed || random.happens(0.5)) return { driver: 'local', address: '127.0.0.1', privateKey: undefined }
    const reached = { address: host.address, sshPort: host.port, username: host.username, privateKey: host.privateKey }
    const closed = { address: '127.0.0.1', sshPort: closedPort, username: 'root', privateKey: undefined }
    const fingerprint = random.happens(0.2) ? `SHA256:${plainWord(random, 43)}` : undefined
    return { driver: 'ssh', ...(random.happens(0.2) ? reached : closed), hostKeyFingerprint: fingerprint }
  },
  UpdateHost: ({ random }) => ({
    // most hosts here are the machine of the server, which has no connection to change
    ...without(...hostConnectionFields, 'clear'),
    labels: random.pick([undefined, { zone: 'a' }, { 'example.com/rack': anyText(random, 20) }]),
    removeLabels: random.pick([undefined, ['role'], ['unknown', 'rack']]),
  }),
  CreateUserTag: ({ pool, random }) => ({
    resourceUuid: pool.pick('hosts', random)?.uuid ?? random.hex(32),
    resourceType: 'Host',
  }),
  UpdateBackupStorage: () => without(...storageConnectionFields, 'clear'),
  UpdateClusterPlugin: ({ fixture, random, mustSucceed }) => ({
    adminToken: mustSucceed || random.happens(0.8) ? undefined : fixture.secretText(),
  }),
  GetHostKeys: ({ fixture: { host }, random }) =>
    random.happens(0.3) ? { address: host.address, sshPort: host.port } : { address: '127.0.0.1', sshPort: closedPort },
  AddBackupStorage: (context) => storageFields(context),
  AddClusterPlugin: ({ fixture, random, mustSucceed }) =>
    mustSucceed || random.happens(0.5)
      ? { adminToken: undefined, managementIp: mustSucceed || random.happens(0.8) ? `h${random.hex(16)}` : '127.0.0.1' }
      : {
          adminToken: fixture.secretText(),
          managementIp: '127.0.0.1',
          apiPort: random.pick([closedPort, fixture.componentPort]),
        },
  UpdateClusterConfig: (context) => clusterFields(context),
  CreateChatAppEndpoint: (context, { type, ownEventTemplate }) => ({
    url: webhookUrlOf(context, String(type)),
    ...(ownEventTemplate === undefined ? {} : { ownEventTemplate: context.random.pick(templates) }),
  }),
  UpdateChatAppEndpoint: (context, { url, ownEventTemplate, clear }) => ({
    ...(ownEventTemplate === undefined ? {} : { ownEventTemplate: context.random.pick(templates) }),
    ...cleared(clear),
    ...(url === undefined ? {} : { url: webhookUrlOf(context, String(context.subject?.type ?? 'Slack')) }),
  }),
  AddSNSChatAppAtPerson: (context) => ({ userId: freshName(context, 64) }),
  UpdateAtPerson: (context, { clear }) => ({ ...cleared(clear), userId: freshName(context, 64) }),
  CreateThirdpartyPlatform: ({ random }, { template }) =>
    template === undefined ? {} : { template: random.pick(templates) },
  UpdateThirdpartyPlatform: ({ random }, { template, clear }) => ({
    ...cleared(clear),
    ...(template === undefined ? {} : { template: random.pick(templates) }),
  }),
  PreviewTemplate: ({ random }) => ({ template: random.pick(templates), alert: random.pick(alerts) }),
  GetHostMetrics: ({ random }) => random.pick(periods),
  ExportAuditEntries: ({ random }) => random.pick(periods),
  GetThirdpartyAlertHistogram: ({ random }) => ({ q: random.pick(alertConditions), ...random.pick(periods) }),
  SilenceThirdpartyAlert: ({ random }) => ({
    until: new Date(Date.now() + random.between(60, 86_400) * 1000).toISOString(),
  }),
  GetElaborations: ({ random }) =>
    random.pick<Fields>([
      { category: 'SYS', code: '1001', regex: undefined },
      { category: 'sys', regex: anyText(random, 200), code: undefined },
      { category: undefined, code: 'HOST.1003', regex: undefined },
      { category: undefined, code: undefined, regex: `host ${plainWord(random, 8)} did not answer over SSH` },
      without('category', 'code', 'regex'),
    ]),
  CheckElaborationContent: ({ random }) => ({ elaborateContent: random.pick(elaborations), elaborateFile: undefined }),
  GetDirectoryUsage: ({ fixture, random }) => ({
    directoryPath: random.pick(['/', '/tmp', fixture.folder, `${fixture.folder}/missing/folder`]),
  }),
  UploadSoftwarePackage: (context) =>
    uploadFields(context, `${context.fixture.folder}/p${context.fixture.nextNumber()}/package`),
  UploadSoftwarePackageToBackupStorage: (context) => uploadFields(context, `p${context.fixture.nextNumber()}/package`),
  InstallSoftwarePackage: ({ fixture, random, subject }) => {
    const elsewhere = JSON.stringify({ hostUuid: fixture.server.bootstrap.hostUuid })
    return {
      config: subject?.hostUuid === null ? elsewhere : random.pick([undefined, '{"a":1}', anyText(random, 100)]),
    }
  },
  // what can succeed takes two versions of one package on a host
  UpgradeSoftwarePackage: ({ random }) => ({ releaseUuid: random.pick([random.hex(32), 'released@9.9.9']) }),
  PublishRelease: ({ fixture }) => ({ softwarePackageUuid: fixture.storedPackageUuid }),
  CreateRollout: ({ fixture, random, mustSucceed }) => ({
    ...without('hostUuids', 'startAt', 'windowUuid', 'alertPlatformUuids'),
    releaseUuid: mustSucceed || random.happens(0.9) ? fixture.rolledOutRelease : random.pick([random.hex(32), 'a@1']),
    ...(mustSucceed || random.happens(0.7) ? withoutHosts : { selector: ['name not null'], dryRun: true }),
    // one that nobody approves costs the coordinator nothing
    requiresApproval: random.happens(0.7),
    waves: random.pick([undefined, ['100%'], [1, '50%', 100]]),
    maxFailures: random.pick([undefined, 1, '10%']),
    config: random.pick([undefined, {}, { greeting: '{{ host.name }}' }]),
  }),
  CreateMaintenanceWindow: ({ random }) => windowFields(random),
  UpdateMaintenanceWindow: ({ random }) => windowFields(random),
  CreateMigrateVmInstance: ({ random }, { network }) =>
    network === undefined ? {} : { network: random.pick(['user', 'bridge:br0', 'network:default']) },
  GetApiJob: () => without('token'),
  GetApiJobLog: () => without('token'),
}

/** No host matches, so nothing is installed on this machine, and rollouts do not exclude each other. */
const withoutHosts: Fields = { selector: ['labels.rack=none'], dynamic: true, dryRun: false }

const storageConnectionFields = [
  'url',
  'username',
  'privateKey',
  'hostKeyFingerprint',
  'accessKeyId',
  'secretAccessKey',
  'region',
]

const windowFields = (random: ValueContext['random']): Fields => ({
  cron: random.pick(['0 22 * * 1-5', '*/15 * * * *', '30 2 * * SUN']),
  timeZone: random.pick(['UTC', 'Europe/Berlin', 'Asia/Shanghai']),
  selector: random.pick([undefined, [], ['name=web', 'labels.zone=a']]),
  durationMinutes: 60,
  cutoffMinutes: random.pick([undefined, 0, 59]),
})

/** Times of answers, and of ISO 8601. */
const periods: Fields[] = [
  without('from', 'to'),
  { from: '2001-01-01', to: undefined },
  { from: 'Nov 5, 2026 1:02:03 AM', to: 'Nov 5, 2026 1:02:04 AM' },
  { from: '0001-01-01T00:00:00Z', to: '9999-12-31 23:59:59' },
]
const alertConditions = [undefined, [], ['severity~=%rit%', 'status=firing'], ['silencedUntil not null']]

const templates = [
  '{{ labels.alertname }} is {{ status }}',
  'plain',
  '{% for l in labels %}{{ l[0] }}{% endfor %}',
  '码 🚢',
]
const alerts = [
  undefined,
  {},
  { labels: { alertname: 'x', instance: '码' } },
  { status: 'resolved', annotations: { summary: '*x*' } },
]
const entry = {
  category: 'SYS',
  code: '9',
  regex: 'x.*',
  message_cn: '码',
  message_en: 'x',
  source: 'us',
  method: 'regex',
}
const elaborations = [
  JSON.stringify([entry]),
  '[]',
  '{',
  'nonsense',
  JSON.stringify([{ ...entry, regex: '(' }]),
  JSON.stringify(entry),
]

/** A webhook of the receiver; some refuse every message. */
function webhookUrlOf({ fixture, random, mustSucceed }: ValueContext, type: string): string {
  const path = `${fixture.secretText()}`
  const isDead = mustSucceed || random.happens(0.3)
  return fixture.receiver.webhookUrl(type, path, ...(isDead ? Array(20).fill({ status: 400 }) : []))
}

function storageFields({ fixture, random, mustSucceed }: ValueContext): Fields {
  const none = without('username', 'privateKey', 'hostKeyFingerprint', 'accessKeyId', 'secretAccessKey', 'region')
  const kind = mustSucceed ? 'folder' : random.pick([...Array(16).fill('folder'), 'sftp', 'sftp', 'sftp', 's3'])
  if (kind === 'folder') {
    const folder = `${fixture.folder}/storage-${fixture.nextNumber()}`
    if (mustSucceed || random.happens(0.8)) mkdirSync(folder)
    return { ...none, type: kind, url: `file://${folder}` }
  }
  if (kind === 'sftp') return { ...none, type: kind, url: `sftp://127.0.0.1:${closedPort}/x`, username: 'root' }
  const credentials = { accessKeyId: fixture.secretText(), secretAccessKey: fixture.secretText() }
  return { ...none, type: kind, url: `http://127.0.0.1:${closedPort}/bucket`, ...credentials }
}

function uploadFields({ fixture, random, mustSucceed, pool }: ValueContext, installPath: string): Fields {
  const { hostUuid } = fixture.server.bootstrap
  const isSliced = !mustSucceed && random.happens(0.4)
  const url = mustSucceed ? fixture.packageUrls[0] : random.pick(fixture.packageUrls)
  const isCluster = !isSliced && random.happens(0.2)
  return {
    type: isCluster ? 'storage' : 'demo',
    url: isSliced ? `upload://demo.tar${random.pick(['', '?size=2048'])}` : isCluster ? fixture.clusterPackageUrl : url,
    installPath,
    backupStorageUuid: undefined,
    ...(installPath.startsWith('/')
      ? {
          hostUuid: mustSucceed
            ? hostUuid
            : random.pick([hostUuid, hostUuid, pool.pick('hosts', random)?.uuid ?? hostUuid]),
        }
      : {}),
  }
}

function clusterFields({ pool, random }: ValueContext): Fields {
  const isInstalled = ({ type, status }: Fields): boolean => type === 'storage' && status === 'Installed'
  const cidr = random.pick(['127.0.0.0/8', '127.0.0.0/16'])
  return {
    uuid: pool.pick('plugins', random)?.uuid ?? random.hex(32),
    softwarePackageUuid: pool.pick('packages', random, isInstalled)?.uuid ?? random.hex(32),
    managementIp: '127.0.0.1',
    managementNetworkCidr: cidr,
    publicNetworkCidr: cidr,
    clusterNetworkCidr: cidr,
    gatewayNetworkCidr: undefined,
    otherManagementIp: ['127.0.0.2', '127.0.0.3'],
    otherStorageIp: random.pick([undefined, [], ['127.0.0.4', '127.0.0.5']]),
  }
}
