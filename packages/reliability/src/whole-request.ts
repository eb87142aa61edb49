/** Whether these bytes are a whole HTTP/1.1 request; a body has a content-length. */
export function isWholeRequest(bytes: Buffer): boolean {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return false
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, head)) ?? []
  return bytes.length >= head + 4 + Number(length)
}
