import { Gone } from '../parts/Gone.tsx'
import { useWords } from '../words/words.ts'
import { linkTo } from './route.ts'
import { words } from './words.ts'

export function Nowhere() {
  const say = useWords(words)
  return <Gone text={say.notFound} href={linkTo(['overview'])} toList={say.toOverview} />
}
