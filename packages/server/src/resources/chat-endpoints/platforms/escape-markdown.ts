/** Makes what a label or annotation holds stand in a message's text as it is: no bold, no link, no list. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*[\]]|^(\s*)-(?= )/gm, (found, space: string | undefined) =>
    space === undefined ? `\\${found}` : `${space}\\-`,
  )
}
