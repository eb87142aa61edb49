const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Base64 of HMAC-SHA1 over method, date and path, one per line. The path begins with `/v1` and has no query. */
export async function sign(secret: string, method: string, date: string, path: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, bytesOf(`${method}\n${date}\n${path}`))
  return btoa(String.fromCharCode(...new Uint8Array(signature)))
}
