import { file, tarOf } from './archives/tar-builder.ts'

/** A disk that prints a line on its serial console and waits; see examples/packages/migrate-gateway. */
const code = Buffer.from('31c08ed8fc31d2b8e300cd14be1d7cac84c07406b401cd14ebf5f4ebfd', 'hex')

/** A raw disk of 1 MiB that starts. */
export function bootableDisk(line = 'up'): Buffer {
  const disk = Buffer.alloc(2 ** 20)
  code.copy(disk)
  disk.write(`${line}\r\n`, code.length)
  disk.writeUInt16LE(0xaa55, 510)
  return disk
}

export interface MigrateImageFile {
  readonly key: string
  readonly file: string
  readonly platform?: string
  readonly data: Buffer
}

export const gatewayImage: MigrateImageFile = { key: 'GatewayImage', file: 'images/gateway.raw', data: bootableDisk() }

export const migrateManifest = (images: readonly MigrateImageFile[], more: object = {}): string =>
  JSON.stringify({
    name: 'gateway',
    version: '1.0.0',
    type: 'Migrate',
    images: images.map(({ key, file: path, platform = 'Linux' }) => ({ key, file: path, platform })),
    ...more,
  })

/** A package of type Migrate with these images, as a tar. */
export const migratePackage = (images: readonly MigrateImageFile[] = [gatewayImage], more: object = {}): Buffer =>
  tarOf(
    file('wharf.json', migrateManifest(images, more)),
    ...images.map(({ file: name, data }) => ({ ...file(name), data })),
  )
