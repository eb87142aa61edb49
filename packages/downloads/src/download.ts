import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { ConnectionOptions } from './connection.ts'
import { guardedRequest } from './guarded-request.ts'
import { maskedUrl } from './masked-url.ts'
import { ReceivedBytes, standardIdleTimeoutMs } from './received-bytes.ts'
import { tooLarge } from './too-large.ts'

export interface DownloadOptions extends ConnectionOptions {
  readonly maxBytes: number
  readonly idleTimeoutMs?: number
}

/** A package that is being received. */
export interface Source {
  /** Fails when fewer bytes arrive than announced. Destroying it closes the source. */
  readonly stream: Readable
  readonly size: number | undefined
  /** The last part of the address; only a hint at the format. */
  readonly fileName: string
}

/**
 * The bytes of an http or https address exactly as they are sent: a server that sends a Content-Encoding, although none
 * was requested, mostly labels a stored .tar.gz with it.
 */
export async function openDownload(url: URL, options: DownloadOptions): Promise<Source> {
  const { signal, maxBytes, idleTimeoutMs = standardIdleTimeoutMs } = options
  const { response, url: answering } = await guardedRequest(url, options)
  const shown = maskedUrl(url.href)
  try {
    refuseStatus(response, answering.origin === url.origin ? shown : `${shown}, redirected to ${answering.origin},`)
    const size = promisedSize(response)
    if (size !== undefined && size > maxBytes) throw tooLarge(`${shown} has ${size} bytes`, maxBytes)
    const broken = (why: { cause?: unknown; receivedBytes: number; isSilent: boolean }): ApiError => {
      const progress = `after ${why.receivedBytes}${size === undefined ? '' : ` of ${size}`} bytes`
      const text = why.isSilent ? `sent nothing for ${idleTimeoutMs / 1000} s ${progress}` : `broke off ${progress}`
      return new ApiError('SYS.1015', `${shown} ${text}`, { cause: why.cause })
    }
    const stream = new ReceivedBytes(response, { signal, maxBytes, size, idleTimeoutMs, broken })
    return { stream, size, fileName: fileNameOf(url) }
  } catch (error) {
    response.destroy()
    throw error
  }
}

/** 206 would be a part of the file, 204 none of it. */
function refuseStatus({ statusCode = 0, statusMessage = '' }: IncomingMessage, shown: string): void {
  if (statusCode === 200 || statusCode === 203) return
  const words = statusMessage.replace(/[^ -~]/g, '').slice(0, 100)
  throw new ApiError('SYS.1015', `${shown} answered ${`${statusCode} ${words}`.trim()}`)
}

/** The HTTP parser refuses lengths that are not numbers, or that are combined with a Transfer-Encoding. */
function promisedSize({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/** Characters that a file name may not contain become underscores. */
export function fileNameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  const name = decodedOrRaw(last).replace(/[/\\\p{Cc}\p{Zl}\p{Zp}]/gu, '_')
  if (name === '' || name === '.' || name === '..') return 'package'
  return name
}

function decodedOrRaw(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
