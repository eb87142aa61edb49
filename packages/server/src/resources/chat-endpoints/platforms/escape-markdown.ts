/** Escapes a label or annotation so that it is literal in the text of a message: no bold, no link, no list. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*[\]]|^(\s*)-(?= )/gm, (found, space: string | undefined) =>
    space === undefined ? `\\${found}` : `${space}\\-`,
  )
}
