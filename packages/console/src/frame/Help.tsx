import CloudscapeHelp from '@cloudscape-design/components/help-panel'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getElaborations } from '@wharf/contract'
import { useState } from 'react'
import { Elaborations } from '../parts/Elaborations.tsx'
import { lookUp } from '../parts/look-up.ts'
import { useAnswer } from '../wharf/answers.ts'
import { useWords } from '../words/words.ts'
import { words } from './words.ts'

/** The codes that the pages may meet most, by their category in the catalogue. */
const categories: Readonly<Record<string, string>> = {
  packages: 'SoftwarePackage',
  hosts: 'HOST',
  'backup-storage': 'BackupStorage',
  clusters: 'ClusterPlugin',
  jobs: 'JOB',
  'access-keys': 'ID',
  accounts: 'ID',
}

export function HelpPanel({ page }: { page: string }) {
  const say = useWords(words)
  const [text, setText] = useState('')
  const asked = text.trim()
  const input = asked === '' ? { category: categories[page] ?? 'SYS' } : lookUp(asked)
  const { data, error } = useAnswer(getElaborations, input)
  return (
    <CloudscapeHelp header={<h2>{say.explainHere}</h2>}>
      <SpaceBetween size="m">
        <p>{say.helpIntro}</p>
        <Input
          type="search"
          value={text}
          ariaLabel={say.explainHere}
          onChange={({ detail }) => setText(detail.value)}
        />
        <Elaborations contents={data?.contents ?? []} error={error} />
      </SpaceBetween>
    </CloudscapeHelp>
  )
}
