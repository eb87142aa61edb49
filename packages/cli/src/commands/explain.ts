import type { AnswerOf, getElaborations } from '@wharf/contract'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { printable, printableLines } from '../output/printable.ts'
import { Refusal } from '../refusals.ts'

const code = /^[A-Za-z]+\.\d+$/

type Content = AnswerOf<typeof getElaborations>['contents'][number]

export const explain = command({
  name: 'explain',
  summary: 'Explain an error text or an error code',
  arguments: { '<text...>': { help: 'a code such as HOST.1003, or what an error said' } },
  examples: ['explain HOST.1003', 'explain "No space left on device"'],
  async run(cli, { text }) {
    const wharf = await cli.wharf()
    const words = text.join(' ')
    const { contents } = await wharf.elaborations.find(code.test(words) ? { code: words } : { regex: words })
    if (contents.length === 0) throw new Refusal(`nothing is known about ${printable(words)}`)
    if (cli.out.form !== 'table') return cli.out.list(contents, [])
    for (const [name, ofCode] of Map.groupBy(contents, ({ category, code: number }) => `${category}.${number}`))
      cli.out.raw(`${name}\n${ofCode.map((content) => `  ${wordsOf(cli, content)}\n`).join('')}`)
  },
})

const wordsOf = ({ language }: Cli, { message_en: en, message_cn: zh }: Content): string =>
  printableLines((language === 'zh' ? (zh ?? en) : (en ?? zh)) ?? '').replaceAll('\n', '\n  ')
