/**
 * Gives the memory of a piece back at once, when the piece is all of it. Left to the collector, every 30 MiB that pass
 * cost a full collection, and those together as much as a hash. Whoever calls this must be the last to have the piece.
 */
export function releaseBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
