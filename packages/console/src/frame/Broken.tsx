import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { Component, type ReactNode } from 'react'
import { Failure } from '../parts/Failure.tsx'
import { useWords } from '../words/words.ts'
import { Fetching } from './Fetching.tsx'
import { NotFetched } from './fetched-page.ts'
import { words } from './words.ts'

/** A page that fails takes nothing else with it. */
export class Broken extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return error instanceof NotFetched ? <Fetching /> : <Told error={error} />
  }
}

function Told({ error }: { error: unknown }) {
  const say = useWords(words)
  return (
    <SpaceBetween size="m">
      <Failure error={error} header={say.broken} />
      <Button onClick={() => location.reload()}>{say.reload}</Button>
    </SpaceBetween>
  )
}
