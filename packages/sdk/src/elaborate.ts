import { getElaborations } from '@wharf/contract'
import type { ElaborationContent, WharfError } from './error.ts'
import type { Call } from './groups.ts'

const maxTextLength = 16_384

/** The elaboration of the error text, else of the error code. */
export async function elaborate(call: Call, { code, details }: WharfError): Promise<ElaborationContent | undefined> {
  const text = details.replace(/ \(request \w+\)$/, '').slice(0, maxTextLength)
  const find = async (input: { regex: string } | { code: string }): Promise<ElaborationContent[]> =>
    (await call(getElaborations, input)).contents
  try {
    const [match] = text === '' ? [] : await find({ regex: text })
    // an entry without a method matches by keyword only
    return match?.method ? match : (await find({ code }))[0]
  } catch {
    // a failed lookup must not hide the error itself
    return undefined
  }
}
