import { linkTo } from '../../frame/route.ts'
import { Gone } from '../../parts/Gone.tsx'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

export function NoCluster() {
  const say = useWords(words)
  return <Gone text={say.gone} href={linkTo(['clusters'])} toList={say.toList} />
}
