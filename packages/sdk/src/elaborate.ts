import { getElaborations } from '@wharf/contract'
import type { ElaborationContent, WharfError } from './error.ts'
import type { Call } from './groups.ts'

const maxText = 16_384

/** What is known about this very text, else about its code. */
export async function elaborate(call: Call, { code, details }: WharfError): Promise<ElaborationContent | undefined> {
  const text = details.replace(/ \(request \w+\)$/, '').slice(0, maxText)
  const find = async (input: { regex: string } | { code: string }): Promise<ElaborationContent[]> =>
    (await call(getElaborations, input)).contents
  try {
    const [explaining] = text === '' ? [] : await find({ regex: text })
    // without a method it only contains the words of the text
    return explaining?.method ? explaining : (await find({ code }))[0]
  } catch {
    // the error itself is what matters
    return undefined
  }
}
