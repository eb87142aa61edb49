import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { queryDelivery } from '@wharf/contract'
import { go, linkTo } from '../../../frame/route.ts'
import { useAnswer } from '../../../wharf/answers.ts'
import { useFigures } from '../../../words/figures.ts'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

const failed = { q: ['status=Failed'], limit: 1, replyWithCount: true }

/** Messages that reached nobody are told of wherever the endpoints are, not only in their list. */
export function DeadLetters() {
  const say = useWords(words)
  const figures = useFigures()
  const { data } = useAnswer(queryDelivery, failed)
  const count = data?.total ?? 0
  if (count === 0) return null
  return (
    <Alert
      type="warning"
      action={
        <Button onClick={() => go(linkTo(['chat', 'deliveries'], { q: 'status=Failed' }))}>{say.showGivenUp}</Button>
      }
    >
      {say.givenUp(figures.number(count))}
    </Alert>
  )
}
