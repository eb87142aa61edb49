import { mkdirSync } from 'node:fs'
import { isOptional, type Operation } from '@wharf/contract'
import type { Schema } from './bad-values.ts'
import { queryFieldsFor } from './conditions.ts'
import type { Fields } from './draft.ts'
import { anyText, plainWord } from './texts.ts'
import { freshName, type Makings, validValue } from './values.ts'
import { closedPort } from './world.ts'

/** The fields of a valid call: what is required, some of the rest, and what no schema can say of them. */
export function validFields(operation: Operation, makings: Makings): Fields {
  if (operation.queries !== undefined)
    return queryFieldsFor(operation, makings.pool.seen.get(collectionOf(operation)) ?? [], makings.chance)
  const fields = declaredFields(operation, makings)
  return { ...fields, ...besides[operation.name]?.(makings, fields) }
}

export const collectionOf = ({ path }: Operation): string => path.replace('/{uuid}', '')

function declaredFields({ fields }: Operation, makings: Makings): Fields {
  const entries = Object.entries(fields) as unknown as [string, Schema][]
  const wanted = entries.filter(([, schema]) => !isOptional(schema) || makings.chance.happens(0.3))
  return Object.fromEntries(wanted.map(([name, schema]) => [name, validValue(name, schema, makings)]))
}

const without = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, undefined]))

/** What an update empties it does not set. */
const cleared = (names: unknown): Fields => without(...((names ?? []) as string[]))

/** Rules that stand in the words of an operation and not in its schema: what replaces the declared fields. */
const besides: Record<string, (makings: Makings, fields: Fields) => Fields> = {
  CreateAccount: (makings) => ({ name: freshName(makings) }),
  CreateUser: (makings) => ({ name: freshName(makings) }),
  UpdateAccount: ({ world }) => ({ password: world.secretText(), oldPassword: undefined }),
  UpdateUser: ({ chance, world }) => (chance.happens(0.5) ? { role: 'operator' } : { password: world.secretText() }),
  CreateAccessKey: ({ pool, chance }) => {
    const uuid = pool.pick('accounts', chance)?.uuid ?? chance.hex(32)
    return { accountUuid: uuid, userUuid: uuid }
  },
  LogInByAccount: ({ pool, chance, world, isSure }) => {
    const account = pool.pick('accounts', chance)
    const isWrong = !isSure && chance.happens(0.03)
    return {
      accountName: account?.name ?? 'nobody',
      password: isWrong ? world.secretText() : (account?.password ?? 'x'),
    }
  },
  LogInByUser: ({ pool, chance }) => {
    const user = pool.pick('users', chance)
    return {
      accountUuid: user?.accountUuid ?? chance.hex(32),
      accountName: undefined,
      userName: user?.name ?? 'nobody',
      password: user?.password ?? 'x',
    }
  },
  AddHost: ({ world: { host }, chance, isSure }) => {
    if (isSure || chance.happens(0.5)) return { driver: 'local', address: '127.0.0.1', privateKey: undefined }
    const reached = { address: host.address, sshPort: host.port, username: host.username, privateKey: host.privateKey }
    const closed = { address: '127.0.0.1', sshPort: closedPort, username: 'root', privateKey: undefined }
    const fingerprint = chance.happens(0.2) ? `SHA256:${plainWord(chance, 43)}` : undefined
    return { driver: 'ssh', ...(chance.happens(0.2) ? reached : closed), hostKeyFingerprint: fingerprint }
  },
  GetHostKeys: ({ world: { host }, chance }) =>
    chance.happens(0.3) ? { address: host.address, sshPort: host.port } : { address: '127.0.0.1', sshPort: closedPort },
  AddBackupStorage: (makings) => storageFields(makings),
  AddClusterPlugin: ({ world, chance, isSure }) =>
    isSure || chance.happens(0.5)
      ? { adminToken: undefined, managementIp: isSure || chance.happens(0.8) ? `h${chance.hex(16)}` : '127.0.0.1' }
      : {
          adminToken: world.secretText(),
          managementIp: '127.0.0.1',
          apiPort: chance.pick([closedPort, world.componentPort]),
        },
  UpdateClusterConfig: (makings) => clusterFields(makings),
  CreateChatAppEndpoint: (makings, { type }) => ({ url: hookOf(makings, String(type)) }),
  UpdateChatAppEndpoint: (makings, { url, clear }) => ({
    ...cleared(clear),
    ...(url === undefined ? {} : { url: hookOf(makings, String(makings.subject?.type ?? 'Slack')) }),
  }),
  AddSNSChatAppAtPerson: (makings) => ({ userId: freshName(makings, 64) }),
  UpdateAtPerson: (makings, { clear }) => ({ ...cleared(clear), userId: freshName(makings, 64) }),
  CreateThirdpartyPlatform: ({ chance }, { template }) =>
    template === undefined ? {} : { template: chance.pick(templates) },
  UpdateThirdpartyPlatform: ({ chance }, { template, clear }) => ({
    ...cleared(clear),
    ...(template === undefined ? {} : { template: chance.pick(templates) }),
  }),
  PreviewTemplate: ({ chance }) => ({ template: chance.pick(templates), alert: chance.pick(alerts) }),
  GetElaborations: ({ chance }) =>
    chance.pick<Fields>([
      { category: 'SYS', code: '1001', regex: undefined },
      { category: 'sys', regex: anyText(chance, 200), code: undefined },
      { category: undefined, code: 'HOST.1003', regex: undefined },
      { category: undefined, code: undefined, regex: `host ${plainWord(chance, 8)} did not answer over SSH` },
      without('category', 'code', 'regex'),
    ]),
  CheckElaborationContent: ({ chance }) => ({ elaborateContent: chance.pick(elaborations), elaborateFile: undefined }),
  GetDirectoryUsage: ({ world, chance }) => ({
    directoryPath: chance.pick(['/', '/tmp', world.folder, `${world.folder}/nothing/there`]),
  }),
  UploadSoftwarePackage: (makings) =>
    uploadFields(makings, `${makings.world.folder}/p${makings.world.nextNumber()}/package`),
  UploadSoftwarePackageToBackupStorage: (makings) => uploadFields(makings, `p${makings.world.nextNumber()}/package`),
  InstallSoftwarePackage: ({ world, chance, subject }) => {
    const elsewhere = JSON.stringify({ hostUuid: world.server.bootstrap.hostUuid })
    return {
      config: subject?.hostUuid === null ? elsewhere : chance.pick([undefined, '{"a":1}', anyText(chance, 100)]),
    }
  },
  CreateMigrateVmInstance: ({ chance }, { network }) =>
    network === undefined ? {} : { network: chance.pick(['user', 'bridge:br0', 'network:default']) },
  GetApiJob: () => without('token'),
  GetApiJobLog: () => without('token'),
}

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

/** A webhook of the receiver; some of them take nothing. */
function hookOf({ world, chance, isSure }: Makings, type: string): string {
  const path = `${world.secretText()}`
  const isDead = isSure || chance.happens(0.3)
  return world.receiver.webhookUrl(type, path, ...(isDead ? Array(20).fill({ status: 400 }) : []))
}

function storageFields({ world, chance, isSure }: Makings): Fields {
  const none = without('username', 'privateKey', 'hostKeyFingerprint', 'accessKeyId', 'secretAccessKey', 'region')
  const kind = isSure ? 'folder' : chance.pick([...Array(16).fill('folder'), 'sftp', 'sftp', 'sftp', 's3'])
  if (kind === 'folder') {
    const folder = `${world.folder}/storage-${world.nextNumber()}`
    if (isSure || chance.happens(0.8)) mkdirSync(folder)
    return { ...none, type: kind, url: `file://${folder}` }
  }
  if (kind === 'sftp') return { ...none, type: kind, url: `sftp://127.0.0.1:${closedPort}/x`, username: 'root' }
  const credentials = { accessKeyId: world.secretText(), secretAccessKey: world.secretText() }
  return { ...none, type: kind, url: `http://127.0.0.1:${closedPort}/bucket`, ...credentials }
}

function uploadFields({ world, chance, isSure, pool }: Makings, installPath: string): Fields {
  const { hostUuid } = world.server.bootstrap
  const isSliced = !isSure && chance.happens(0.4)
  const url = isSure ? world.packageUrls[0] : chance.pick(world.packageUrls)
  const isCluster = !isSliced && chance.happens(0.2)
  return {
    type: isCluster ? 'storage' : 'demo',
    url: isSliced ? `upload://demo.tar${chance.pick(['', '?size=2048'])}` : isCluster ? world.clusterPackageUrl : url,
    installPath,
    backupStorageUuid: undefined,
    ...(installPath.startsWith('/')
      ? {
          hostUuid: isSure ? hostUuid : chance.pick([hostUuid, hostUuid, pool.pick('hosts', chance)?.uuid ?? hostUuid]),
        }
      : {}),
  }
}

function clusterFields({ pool, chance }: Makings): Fields {
  const isInstalled = ({ type, status }: Fields): boolean => type === 'storage' && status === 'Installed'
  const cidr = chance.pick(['127.0.0.0/8', '127.0.0.0/16'])
  return {
    uuid: pool.pick('plugins', chance)?.uuid ?? chance.hex(32),
    softwarePackageUuid: pool.pick('packages', chance, isInstalled)?.uuid ?? chance.hex(32),
    managementIp: '127.0.0.1',
    managementNetworkCidr: cidr,
    publicNetworkCidr: cidr,
    clusterNetworkCidr: cidr,
    gatewayNetworkCidr: undefined,
    otherManagementIp: ['127.0.0.2', '127.0.0.3'],
    otherStorageIp: chance.pick([undefined, [], ['127.0.0.4', '127.0.0.5']]),
  }
}
