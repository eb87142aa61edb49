/** Terminals act on control characters, and bidirectional overrides show a line in another order than it has. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Text from outside as it may be shown to people: tabs and line ends stay. */
export const plainText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(steering, '\ufffd')
