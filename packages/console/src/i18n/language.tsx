import { I18nProvider, type I18nProviderProps } from '@cloudscape-design/components/i18n'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { storedChoice } from '../browser/stored-choice.ts'

export type Language = 'en' | 'zh'

const choice = storedChoice('language', ['en', 'zh'] as const, () =>
  navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en',
)

/** The messages of the Cloudscape components, loaded by language. */
const cloudscapeMessages: Record<Language, () => Promise<{ default: I18nProviderProps.Messages }>> = {
  en: () => import('@cloudscape-design/components/i18n/messages/all.en'),
  zh: () => import('@cloudscape-design/components/i18n/messages/all.zh-CN'),
}
const locales: Record<Language, string> = { en: 'en', zh: 'zh-CN' }

interface Chosen {
  readonly language: Language
  readonly choose: (language: Language) => void
}

const Choice = createContext<Chosen>({ language: 'en', choose: () => {} })

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(choice.read)
  const [messages, setMessages] = useState<readonly I18nProviderProps.Messages[]>([])
  useEffect(() => {
    document.documentElement.lang = locales[language]
    let isCurrent = true
    void cloudscapeMessages[language]().then(({ default: words }) => isCurrent && setMessages([words]))
    return () => {
      isCurrent = false
    }
  }, [language])
  const choose = (next: Language): void => {
    choice.write(next)
    setLanguage(next)
  }
  return (
    <Choice value={{ language, choose }}>
      <I18nProvider locale={locales[language]} messages={messages}>
        {children}
      </I18nProvider>
    </Choice>
  )
}

export const useLanguage = (): Chosen => useContext(Choice)

/** The locale for Intl. */
export const useLocale = (): string => locales[useContext(Choice).language]
