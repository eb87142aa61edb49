import { createHash } from 'node:crypto'
import type { Answer, Client } from '@wharf/testkit'

/** Something that a call creates. Apart from tags and components nothing about them is unique: what is created twice exists twice. */
export interface Kind {
  readonly path: string
  /** The field of a record that contains the name. */
  readonly nameField: string
  readonly params: (name: string) => Readonly<Record<string, unknown>>
}

export interface Made {
  readonly uuid: string
  readonly name: string
}

/** Two synchronous kinds, one whose answer shows a secret once, and one job. */
export async function kindsFor(admin: Client): Promise<Kind[]> {
  const [own] = (await admin.get('/v1/accesskeys')).body.inventories as { accountUuid: string; userUuid: string }[]
  const owner = { accountUuid: own?.accountUuid, userUuid: own?.userUuid }
  const url = 'https://chat.example.com/hook'
  return [
    { path: '/v1/tags', nameField: 'name', params: (name) => ({ name }) },
    {
      path: '/v1/sns/application-endpoints/chatapp',
      nameField: 'name',
      params: (name) => ({ name, type: 'Slack', url }),
    },
    { path: '/v1/accesskeys', nameField: 'description', params: (description) => ({ ...owner, description }) },
    { path: '/v1/cluster-plugin', nameField: 'name', params: (name) => ({ name, managementIp: hostNameFor(name) }) },
  ]
}

/** A component is added once, so each has its own address. */
const hostNameFor = (name: string): string => `h${createHash('sha256').update(name).digest('hex').slice(0, 32)}`

const pageSize = 5000

/** All records of a kind. */
export async function recordsOf({ path, nameField }: Kind, client: Client): Promise<Made[]> {
  const found: Made[] = []
  for (;;) {
    const { body } = await client.get(`${path}?sort=uuid&limit=${pageSize}&start=${found.length}`)
    const page = body.inventories as Record<string, string>[]
    found.push(...page.map((record) => ({ uuid: String(record.uuid), name: String(record[nameField]) })))
    if (page.length < pageSize) return found
  }
}

/** The part of an answer that every repetition returns; a secret is shown once. */
export function repeatable({ status, body }: Pick<Answer, 'status' | 'body'>): { text: string; hasSecret: boolean } {
  const record = body.inventory as Record<string, unknown> | undefined
  const hasSecret = typeof record?.AccessKeySecret === 'string'
  const shown = hasSecret ? { ...body, inventory: { ...record, AccessKeySecret: null } } : body
  return { text: `${status} ${JSON.stringify(shown)}`, hasSecret }
}
