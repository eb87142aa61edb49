/** Whose words the explanations of errors are in, as locale(7) finds it. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): 'en' | 'zh' {
  const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value !== undefined && value !== '') ?? ''
  // LANGUAGE counts only where a locale is set at all
  const first = locale === '' || /^(C|POSIX)\b/.test(locale) ? locale : env.LANGUAGE?.split(':')[0] || locale
  return /^zh/i.test(first) ? 'zh' : 'en'
}

/** Where it cannot be told, ASCII is drawn. */
export const drawsUnicode = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /utf-?8/i.test([env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '') ?? '')
