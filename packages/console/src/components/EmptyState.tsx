import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'

export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Box textAlign="center" padding="l">
      <SpaceBetween size="s">
        <Box color="inherit">{text}</Box>
        {children}
      </SpaceBetween>
    </Box>
  )
}
