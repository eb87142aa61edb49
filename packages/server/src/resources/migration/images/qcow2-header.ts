import { ApiError } from '@wharf/platform/api-error.ts'

/** The part of the header that is read here (docs/interop/qcow2 of QEMU, version 3). */
const qcow2HeaderBytes = 104

const magic = Buffer.from('QFI\xfb', 'latin1')
const version2HeaderBytes = 72

/** Incompatible features: a program that does not support one must not open the image. */
const corrupt = 1n << 1n
const externalData = 1n << 2n
const supported = (1n << 5n) - 1n

export const isQcow2 = (head: Buffer): boolean => head.subarray(0, magic.length).equals(magic)

/** The package as a whole is refused for one of its images. The name is a caller's, so it is quoted and cut. */
export const imageError = (name: string, rule: string): ApiError =>
  new ApiError('SoftwarePackage.1132', `the image ${JSON.stringify(name.slice(0, 120))} ${rule}`)

/** The size of the disk that the guest sees. Refuses an image that needs another file or a secret, or is damaged. */
export function qcow2VirtualSize(head: Buffer, fileBytes: number, name: string): number {
  if (head.length < version2HeaderBytes) throw imageError(name, 'ends within the header of a qcow2')
  const version = head.readUInt32BE(4)
  if (version !== 2 && version !== 3) throw imageError(name, `is a qcow of version ${version}; 2 and 3 are supported`)
  if (version === 3 && head.length < qcow2HeaderBytes) throw imageError(name, 'ends within the header of a qcow2')
  // a backing file could be any file of the host that runs the VM
  if (head.readBigUInt64BE(8) !== 0n) throw imageError(name, 'has a backing file; flatten it with qemu-img convert')
  if (head.readUInt32BE(32) !== 0) throw imageError(name, 'is encrypted')
  checkTables(head, fileBytes, name)
  if (version === 3) checkFeatures(head.readBigUInt64BE(72), name)
  const size = head.readBigUInt64BE(24)
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw imageError(name, `claims to be ${size} bytes large`)
  return Number(size)
}

function checkFeatures(features: bigint, name: string): void {
  if ((features & externalData) !== 0n)
    throw imageError(name, 'keeps its data in another file; flatten it with qemu-img convert')
  if ((features & corrupt) !== 0n) throw imageError(name, 'is marked as corrupt')
  if ((features & ~supported) !== 0n) throw imageError(name, 'needs qcow2 features that are not supported')
}

/** The tables of a truncated file are beyond its end. */
function checkTables(head: Buffer, fileBytes: number, name: string): void {
  const clusterBits = head.readUInt32BE(20)
  if (clusterBits < 9 || clusterBits > 21) throw imageError(name, `has clusters of 2^${clusterBits} bytes`)
  const l1End = head.readBigUInt64BE(40) + BigInt(head.readUInt32BE(36)) * 8n
  const refcounts = head.readBigUInt64BE(48) + (BigInt(head.readUInt32BE(56)) << BigInt(clusterBits))
  if (l1End > BigInt(fileBytes) || refcounts > BigInt(fileBytes)) throw imageError(name, 'is a truncated qcow2 image')
}
