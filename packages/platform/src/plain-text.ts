import { replaceEscapeSequences } from './escape-sequences.ts'

/** Terminals interpret control characters, and bidirectional overrides reorder a line. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** External text that is safe to display: without escape sequences; tabs and line ends are kept. */
export const plainText = (text: string): string =>
  replaceEscapeSequences(text.replaceAll('\r\n', '\n'), () => '').replaceAll(steering, '\ufffd')
