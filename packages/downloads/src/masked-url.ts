const maxShownCharacters = 200

/** An address for logs and errors: without user, password, query and fragment, which may contain secrets. */
export function maskedUrl(text: string): string {
  const bare = text.replace(/[?#].*$/s, '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
  const shown = /^(upload|release):\/\//i.test(bare) ? bare : withoutUser(bare)
  return shown.length > maxShownCharacters ? `${shown.slice(0, maxShownCharacters)}…` : shown
}

function withoutUser(text: string): string {
  // text that is not a URL may contain a password anywhere
  if (!URL.canParse(text)) return `${/^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? ''}…`
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}
