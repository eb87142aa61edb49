import CloudscapeHelp from '@cloudscape-design/components/help-panel'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { getElaborations } from '@wharf/contract'
import { useState } from 'react'
import { Elaborations } from '../parts/Elaborations.tsx'
import { lookUp } from '../parts/look-up.ts'
import { useAnswer } from '../wharf/answers.ts'
import { useWords } from '../words/words.ts'
import { helpCategories } from './help-categories.ts'
import type { PageName } from './pages.ts'
import { words } from './words.ts'

export function HelpPanel({ page, isOpen }: { page: string; isOpen: boolean }) {
  const say = useWords(words)
  const [text, setText] = useState('')
  const asked = text.trim()
  const input = asked === '' ? { category: helpCategories[page as PageName] ?? 'SYS' } : lookUp(asked)
  const { data, error, isPending } = useAnswer(getElaborations, input, { enabled: isOpen })
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
        {isPending && isOpen ? <Spinner /> : null}
        {data || error ? (
          <Elaborations contents={data?.contents ?? []} isOfText={'regex' in input} error={error} />
        ) : null}
      </SpaceBetween>
    </CloudscapeHelp>
  )
}
