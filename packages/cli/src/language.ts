/** The language of error explanations, by the rules of locale(7). */
export function languageOf(env: Readonly<Record<string, string | undefined>>): 'en' | 'zh' {
  const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value !== undefined && value !== '') ?? ''
  // LANGUAGE applies only if a locale is set
  const first = locale === '' || /^(C|POSIX)\b/.test(locale) ? locale : env.LANGUAGE?.split(':')[0] || locale
  return /^zh/i.test(first) ? 'zh' : 'en'
}

/** ASCII is the fallback. */
export const supportsUnicode = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /utf-?8/i.test([env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '') ?? '')
