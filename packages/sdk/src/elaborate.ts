import { getElaborations } from '@wharf/contract'
import type { ElaborationContent, WharfError } from './error.ts'
import type { Call } from './groups.ts'

const maxText = 16_384

/** What is known about this very text, else about its code. */
export async function elaborate(call: Call, { code, details }: WharfError): Promise<ElaborationContent | undefined> {
  const text = details.replace(/ \(request \w+\)$/, '').slice(0, maxText)
  const look = async (input: { regex: string } | { code: string }): Promise<ElaborationContent | undefined> =>
    (await call(getElaborations, input)).contents[0]
  try {
    return (text === '' ? undefined : await look({ regex: text })) ?? (await look({ code }))
  } catch {
    // the error itself is what matters
    return undefined
  }
}
