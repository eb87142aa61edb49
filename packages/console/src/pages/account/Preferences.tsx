import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { type Appearance, appearances, chooseAppearance, useAppearance } from '../../browser/appearance.ts'
import { type Language, useLanguage } from '../../i18n/language.tsx'
import { chooseTimeZone, type TimeZoneChoice, timeZoneChoices, useTimeZone } from '../../i18n/time-zone.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

const languages: readonly { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'zh', label: '中文' },
]

export function Preferences() {
  const t = useMessages(messages)
  const format = useFormat()
  const { language, choose } = useLanguage()
  return (
    <Container
      header={
        <Header variant="h2" description={t.preferencesHelp}>
          {t.preferences}
        </Header>
      }
    >
      <ColumnLayout columns={3}>
        <FormField label={t.language}>
          <RadioGroup
            value={language}
            items={[...languages]}
            onChange={({ detail }) => choose(detail.value as Language)}
          />
        </FormField>
        <FormField label={t.appearance}>
          <RadioGroup
            value={useAppearance()}
            items={appearances.map((value) => ({ value, label: t.appearances[value] }))}
            onChange={({ detail }) => chooseAppearance(detail.value as Appearance)}
          />
        </FormField>
        <FormField label={t.timeZone} constraintText={t.example(format.moment(Date.now()))}>
          <RadioGroup
            value={useTimeZone()}
            items={timeZoneChoices.map((value) => ({ value, label: t.timeZones[value] }))}
            onChange={({ detail }) => chooseTimeZone(detail.value as TimeZoneChoice)}
          />
        </FormField>
      </ColumnLayout>
    </Container>
  )
}
