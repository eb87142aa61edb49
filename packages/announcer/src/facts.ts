import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { ipv4DefaultInterface, ipv6DefaultInterface } from './default-route.ts'

/** What a host tells about itself. What it does not know is undefined. */
export interface Facts {
  readonly hostName: string
  readonly sn?: string | undefined
  readonly manufacturer?: string | undefined
  readonly product?: string | undefined
  /** Tells machines apart that have no serial number. */
  readonly id?: string | undefined
  readonly ipv4Interface?: string | undefined
  readonly ipv6Interface?: string | undefined
}

type Overrides = { readonly [K in keyof Facts]?: Facts[K] | undefined }

/** `root` is where the machine's file system begins. What is given by hand counts more than what is read. */
export function readFacts({ overrides = {}, root = '/' }: { overrides?: Overrides; root?: string } = {}): Facts {
  const read = (path: string): string | undefined => readText(join(root, path))
  const board = (name: string): string | undefined => read(`sys/class/dmi/id/${name}`)
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined)
  return {
    hostName: hostname(),
    // only root may read it
    sn: board('product_serial') ?? read('proc/device-tree/serial-number'),
    manufacturer: board('sys_vendor'),
    product: board('product_name') ?? read('proc/device-tree/model'),
    id: idOf(read('etc/machine-id') ?? firstMac()),
    ipv4Interface: ipv4DefaultInterface(read('proc/net/route') ?? ''),
    ipv6Interface: ipv6DefaultInterface(read('proc/net/ipv6_route') ?? ''),
    ...Object.fromEntries(given),
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', '').trim() || undefined
  } catch {
    return undefined
  }
}

/** The machine id itself is not for strangers (machine-id(5)); what is derived from it is as good for telling apart. */
const idOf = (secret: string | undefined): string | undefined =>
  secret && createHmac('sha256', secret).update('wharf-host').digest('hex').slice(0, 32)

const firstMac = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((infos = []) => infos)
    .filter(({ internal }) => !internal)
    .map(({ mac }) => mac)
    .sort()[0]
