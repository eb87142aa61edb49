/** What a terminal shows of lines that a program overwrites after a carriage return, such as a progress bar. */
export const applyCarriageReturns = (text: string): string =>
  text.includes('\r')
    ? text
        .split(/\r?\n/)
        .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
        .join('\n')
    : text
