import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import { useWords } from '../words/words.ts'
import { linkTo } from './route.ts'
import { words } from './words.ts'

export function Nowhere() {
  const say = useWords(words)
  return (
    <Box textAlign="center" padding="xxl">
      <Box variant="h1">{say.notFound}</Box>
      <Link href={linkTo(['overview'])}>{say.toOverview}</Link>
    </Box>
  )
}
