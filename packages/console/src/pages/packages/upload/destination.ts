/** A host or backup storage that packages are uploaded to. */
export interface Destination {
  readonly kind: 'host' | 'storage'
  readonly uuid: string
  readonly name: string
  readonly availableCapacity: number
  /** The writable folder of a host. */
  readonly packagesPath: string | null
  readonly driver?: string | undefined
  /** The state or status that makes it unusable. */
  readonly obstacle: string | undefined
}

interface Listed {
  uuid?: string
  name?: string
  state?: string
  status?: string
  availableCapacity?: number
  packagesPath?: string | null
  driver?: string
}

const destinationOf =
  (kind: Destination['kind']) =>
  ({
    uuid = '',
    name = '',
    state = '',
    status = '',
    availableCapacity = 0,
    packagesPath = null,
    driver,
  }: Listed): Destination => {
    const obstacle = state !== 'Enabled' ? state : status !== 'Connected' ? status : undefined
    return { kind, uuid, name, availableCapacity, packagesPath, driver, obstacle }
  }

/** The only destination of all lists; undefined while one of them is loading, and when there are several. */
export function onlyOne(lists: readonly (readonly Destination[] | undefined)[]): Destination | undefined {
  const known = lists.flatMap((list) => list ?? [])
  return lists.includes(undefined) || known.length > 1 ? undefined : known[0]
}

export const hostDestination = destinationOf('host')
export const storageDestination = destinationOf('storage')
