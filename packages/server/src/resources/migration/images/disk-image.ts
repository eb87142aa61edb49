import { imageError, isQcow2, qcow2VirtualSize } from './qcow2-header.ts'

export type ImageFormat = 'qcow2' | 'raw' | 'iso'

export interface DiskImage {
  readonly format: ImageFormat
  readonly mediaType: 'RootVolumeTemplate' | 'ISO'
  /** Bytes as the guest sees them. */
  readonly size: number
}

/** ISO 9660: the first volume descriptor is in sector 16 of 2048 bytes, and names the standard. */
const isoMarkAt = 16 * 2048 + 1
const isoMark = Buffer.from('CD001')
const sectorBytes = 512

/** How many bytes of a file determine its format. */
export const headBytes = isoMarkAt + isoMark.length

/** Formats that are refused: used as raw bytes they would not boot. */
const foreign: readonly (readonly [name: string, at: number, mark: Buffer])[] = [
  ['a VMDK', 0, Buffer.from('KDMV')],
  ['a VMDK description', 0, Buffer.from('# Disk DescriptorFile')],
  ['a VHDX', 0, Buffer.from('vhdxfile')],
  ['a VHD', 0, Buffer.from('conectix')],
  ['a VDI', 0x40, Buffer.from([0x7f, 0x10, 0xda, 0xbe])],
  ['a QED', 0, Buffer.from('QED\0')],
  ['an encrypted disk (LUKS)', 0, Buffer.from('LUKS\xba\xbe', 'latin1')],
  ['compressed (gzip)', 0, Buffer.from([0x1f, 0x8b, 0x08])],
  ['compressed (xz)', 0, Buffer.from('\xfd7zXZ\0', 'latin1')],
  ['compressed (zstd)', 0, Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
]

/** The format follows from the content; the name must agree with it. */
export function diskImage(head: Buffer, fileBytes: number, name: string): DiskImage {
  if (fileBytes === 0) throw imageError(name, 'is empty')
  if (isQcow2(head)) {
    if (/\.(iso|raw)$/i.test(name)) throw imageError(name, 'is a qcow2 image, despite its name')
    return { format: 'qcow2', mediaType: 'RootVolumeTemplate', size: qcow2VirtualSize(head, fileBytes, name) }
  }
  if (/\.(qcow2?)$/i.test(name)) throw imageError(name, 'is not a qcow2 image, despite its name')
  if (hasBytesAt(head, isoMarkAt, isoMark)) return { format: 'iso', mediaType: 'ISO', size: fileBytes }
  if (/\.iso$/i.test(name)) throw imageError(name, 'is not an ISO 9660 image, despite its name')
  const other = foreign.find(([, at, mark]) => hasBytesAt(head, at, mark))
  if (other) throw imageError(name, `is ${other[0]}; only qcow2, raw and ISO images can be used`)
  // a disk has whole sectors: the rest of the last one reads as zeros
  const size = Math.ceil(fileBytes / sectorBytes) * sectorBytes
  return { format: 'raw', mediaType: 'RootVolumeTemplate', size }
}

const hasBytesAt = (head: Buffer, at: number, mark: Buffer): boolean => head.subarray(at, at + mark.length).equals(mark)
