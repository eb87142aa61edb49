/**
 * Frees the memory of a piece immediately, when the piece is all of it. Left to the collector, every 30 MiB cost a full
 * collection, in total as much as a hash. The caller must be the last user of the piece.
 */
export function releaseBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
