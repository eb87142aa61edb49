const clusterBits = 16
const clusterBytes = 2 ** clusterBits
const entryBytes = 8
/** Bytes of the disk that one entry of the L1 table covers: a cluster of entries, each of which covers a cluster. */
const bytesPerEntry = (clusterBytes / entryBytes) * clusterBytes
const headerBytes = 104
const backingFormatExtension = 0xe2792aca
/** The maximum that QEMU reads. */
const maxBackingNameBytes = 1023

export interface Backing {
  /** On the host that the disk will be on. */
  readonly path: string
  readonly format: 'qcow2' | 'raw'
  /** Bytes as the guest sees them. */
  readonly size: number
}

/**
 * An empty qcow2 image (version 3) with a backing image: it contains what the guest writes, and the rest is read from the
 * backing image. The host needs no program to create it. Clusters: header, refcount table, refcount block, L1 table.
 */
export function qcow2Overlay({ path, format, size }: Backing): Buffer {
  const name = Buffer.from(path)
  if (name.length > maxBackingNameBytes) throw new Error(`the path of an image is longer than ${maxBackingNameBytes}`)
  const l1Entries = Math.max(1, Math.ceil(size / bytesPerEntry))
  const l1Clusters = Math.ceil((l1Entries * entryBytes) / clusterBytes)
  const clusters = 3 + l1Clusters
  const file = Buffer.alloc(clusters * clusterBytes)
  const extension = formatExtension(format)
  const nameAt = headerBytes + extension.length

  file.write('QFI\xfb', 0, 'latin1')
  file.writeUInt32BE(3, 4)
  file.writeBigUInt64BE(BigInt(nameAt), 8)
  file.writeUInt32BE(name.length, 16)
  file.writeUInt32BE(clusterBits, 20)
  file.writeBigUInt64BE(BigInt(size), 24)
  file.writeUInt32BE(l1Entries, 36)
  file.writeBigUInt64BE(BigInt(3 * clusterBytes), 40)
  file.writeBigUInt64BE(BigInt(clusterBytes), 48)
  file.writeUInt32BE(1, 56)
  // refcounts of 2^4 bits
  file.writeUInt32BE(4, 96)
  file.writeUInt32BE(headerBytes, 100)
  extension.copy(file, headerBytes)
  name.copy(file, nameAt)

  file.writeBigUInt64BE(BigInt(2 * clusterBytes), clusterBytes)
  for (let cluster = 0; cluster < clusters; cluster++) file.writeUInt16BE(1, 2 * clusterBytes + 2 * cluster)
  return file
}

/** Without it QEMU would detect the format from bytes that the guest can write. */
function formatExtension(format: string): Buffer {
  const padded = Math.ceil(format.length / 8) * 8
  const extension = Buffer.alloc(8 + padded + 8)
  extension.writeUInt32BE(backingFormatExtension, 0)
  extension.writeUInt32BE(format.length, 4)
  extension.write(format, 8)
  return extension
}
