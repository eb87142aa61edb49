import { refuseImage } from './refusal.ts'

/** The first bytes of a qcow2 that say all that matters here (docs/interop/qcow2 of QEMU, version 3). */
const qcow2HeaderBytes = 104

const magic = Buffer.from('QFI\xfb', 'latin1')
const version2HeaderBytes = 72

/** Incompatible features: what a program that does not know them must not open. */
const corrupt = 1n << 1n
const externalData = 1n << 2n
const known = (1n << 5n) - 1n

export const isQcow2 = (head: Buffer): boolean => head.subarray(0, magic.length).equals(magic)

/** The size of the disk that the guest sees. Refuses what would need another file, or a secret, or is broken. */
export function qcow2VirtualSize(head: Buffer, fileBytes: number, name: string): number {
  if (head.length < version2HeaderBytes) throw refuseImage(name, 'ends within the header of a qcow2')
  const version = head.readUInt32BE(4)
  if (version !== 2 && version !== 3) throw refuseImage(name, `is a qcow of version ${version}; 2 and 3 are supported`)
  if (version === 3 && head.length < qcow2HeaderBytes) throw refuseImage(name, 'ends within the header of a qcow2')
  // it could name any file of the host that runs it
  if (head.readBigUInt64BE(8) !== 0n) throw refuseImage(name, 'has a backing file; flatten it with qemu-img convert')
  if (head.readUInt32BE(32) !== 0) throw refuseImage(name, 'is encrypted')
  checkTables(head, fileBytes, name)
  if (version === 3) checkFeatures(head.readBigUInt64BE(72), name)
  const size = head.readBigUInt64BE(24)
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw refuseImage(name, `claims to be ${size} bytes large`)
  return Number(size)
}

function checkFeatures(features: bigint, name: string): void {
  if ((features & externalData) !== 0n)
    throw refuseImage(name, 'keeps its data in another file; flatten it with qemu-img convert')
  if ((features & corrupt) !== 0n) throw refuseImage(name, 'is marked as corrupt')
  if ((features & ~known) !== 0n) throw refuseImage(name, 'needs features of qcow2 that are not known')
}

/** A file that was cut off lacks what its header points to. */
function checkTables(head: Buffer, fileBytes: number, name: string): void {
  const clusterBits = head.readUInt32BE(20)
  if (clusterBits < 9 || clusterBits > 21) throw refuseImage(name, `has clusters of 2^${clusterBits} bytes`)
  const l1End = head.readBigUInt64BE(40) + BigInt(head.readUInt32BE(36)) * 8n
  const refcounts = head.readBigUInt64BE(48) + (BigInt(head.readUInt32BE(56)) << BigInt(clusterBits))
  if (l1End > BigInt(fileBytes) || refcounts > BigInt(fileBytes)) throw refuseImage(name, 'is a qcow2 that was cut off')
}
