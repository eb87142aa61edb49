import { type Operation, operations, pathParameters } from '@wharf/contract'
import { defineGlobal } from '../../browser/testing/fake-browser.ts'

type Fields = Readonly<Record<string, unknown>>

/** A call that the server has received. Fields of the query are texts; `q`, `fields` and the like are lists. */
interface ReceivedCall {
  readonly operation: string
  readonly input: Fields
}

type Handler = (input: Fields, signal: AbortSignal) => unknown

const lists = ['q', 'fields']
const patterns = operations.map((operation) => ({ operation, pattern: patternOf(operation) }))

function patternOf({ path }: Operation): RegExp {
  return new RegExp(`${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

/** The API behind `fetch`: answers operations that a test has an answer for, others with an empty list. */
export class FakeServer {
  readonly calls: ReceivedCall[] = []
  readonly #handlers = new Map<string, Handler>()

  install(): void {
    defineGlobal('fetch', (input: string, init: RequestInit) => this.#respond(new Request(input, init)))
  }

  answer(operation: Pick<Operation, 'name'>, handler: Handler): void {
    this.#handlers.set(operation.name, handler)
  }

  fail(operation: Pick<Operation, 'name'>, code = 'SYS.1006'): void {
    const error = { code, description: 'failed', details: `${operation.name} failed`, elaboration: null, opaque: null }
    this.answer(operation, () => Response.json({ error: { ...error, cause: null } }, { status: 400 }))
  }

  /** The inputs of the calls of an operation, oldest first. */
  inputsOf(operation: Pick<Operation, 'name'>): Fields[] {
    return this.calls.filter((call) => call.operation === operation.name).map(({ input }) => input)
  }

  async #respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const body = request.method === 'GET' || request.method === 'DELETE' ? '' : await request.text()
    const sent = (body === '' ? {} : JSON.parse(body)) as Record<string, Fields>
    const found = patterns.find(
      ({ operation: { method, structure }, pattern }) =>
        method === request.method && pattern.test(pathname) && (structure === undefined || structure in sent),
    )
    if (found === undefined) throw new Error(`the contract has no ${request.method} ${pathname}`)
    const { operation, pattern } = found
    const queried = [...new Set(searchParams.keys())].map((key) => [
      key,
      lists.includes(key) ? searchParams.getAll(key) : searchParams.get(key),
    ])
    const input = {
      ...Object.fromEntries(queried),
      ...sent[operation.structure ?? ''],
      ...(pathParameters(operation.path).length > 0 ? pattern.exec(pathname)?.groups : {}),
    }
    this.calls.push({ operation: operation.name, input })
    const answer = (await this.#handlers.get(operation.name)?.(input, request.signal)) ?? { inventories: [], total: 0 }
    return answer instanceof Response ? answer : Response.json(answer)
  }
}
