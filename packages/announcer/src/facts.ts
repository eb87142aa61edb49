import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { ipv4DefaultInterface, ipv6DefaultInterface } from './default-route.ts'

/** The properties that a host announces; unknown ones are undefined. */
export interface Facts {
  readonly hostName: string
  readonly sn?: string | undefined
  readonly manufacturer?: string | undefined
  readonly product?: string | undefined
  /** Identifies machines without a serial number. */
  readonly id?: string | undefined
  readonly ipv4Interface?: string | undefined
  readonly ipv6Interface?: string | undefined
}

type Overrides = { readonly [K in keyof Facts]?: Facts[K] | undefined }

/** `root` is the root of the file system. Overrides take precedence over values that are read. */
export function readFacts({ overrides = {}, root = '/' }: { overrides?: Overrides; root?: string } = {}): Facts {
  const read = (path: string): string | undefined => readText(join(root, path))
  const board = (name: string): string | undefined => read(`sys/class/dmi/id/${name}`)
  const overridden = Object.entries(overrides).filter(([, value]) => value !== undefined)
  return {
    hostName: hostname(),
    // readable by root only
    sn: board('product_serial') ?? read('proc/device-tree/serial-number'),
    manufacturer: board('sys_vendor'),
    product: board('product_name') ?? read('proc/device-tree/model'),
    id: idOf(read('etc/machine-id') ?? firstMac()),
    ipv4Interface: ipv4DefaultInterface(read('proc/net/route') ?? ''),
    ipv6Interface: ipv6DefaultInterface(read('proc/net/ipv6_route') ?? ''),
    ...Object.fromEntries(overridden),
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', '').trim() || undefined
  } catch {
    return undefined
  }
}

/** machine-id(5): the machine id is confidential, so a keyed hash of it is announced. */
const idOf = (secret: string | undefined): string | undefined =>
  secret && createHmac('sha256', secret).update('wharf-host').digest('hex').slice(0, 32)

const firstMac = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((infos = []) => infos)
    .filter(({ internal }) => !internal)
    .map(({ mac }) => mac)
    .sort()[0]
