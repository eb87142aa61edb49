import '../../browser/testing/load-components.ts'
import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { notifyManager } from '@tanstack/react-query'
import { act, createElement, type FunctionComponent, type ReactNode } from 'react'
import { defineGlobal, fakeWindow, MemoryStorage } from '../../browser/testing/fake-browser.ts'
import { FakeServer } from './fake-server.ts'

const user = { uuid: 'session-1', userUuid: 'user-1', userName: 'anna', login: { accountName: 'anna' } }

/** What a component that renders nothing needs of a page. */
function fakeDocument() {
  const events = { addEventListener: () => {}, removeEventListener: () => {} }
  const document = { ...events, nodeType: 9, documentElement: {}, querySelector: () => null, activeElement: null }
  const container = {
    ...events,
    nodeType: 1,
    nodeName: 'DIV',
    tagName: 'DIV',
    ownerDocument: document,
    textContent: '',
  }
  return { document, container: container as unknown as Element }
}

// the same window and storage for all files of the process: modules such as session.ts listen to them once
const page = fakeDocument()
const window = fakeWindow()
const storage = new MemoryStorage()
setMaxListeners(0, window.events)
const ownGlobals = ['location', 'history', 'addEventListener', 'removeEventListener', 'dispatchEvent'].map(
  (name) => [name, (globalThis as Record<string, unknown>)[name]] as const,
)
notifyManager.setScheduler(queueMicrotask)

/** Signs the user in to a server that the test controls, in a browser without stored data. */
function newPage(hash: string): FakeServer {
  for (const [name, value] of ownGlobals) defineGlobal(name, value)
  defineGlobal('HashChangeEvent', Event)
  defineGlobal('document', page.document)
  defineGlobal('window', globalThis)
  defineGlobal('HTMLIFrameElement', class {})
  defineGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  defineGlobal('localStorage', storage)
  defineGlobal('sessionStorage', new MemoryStorage())
  storage.clear()
  storage.setItem('wharf.session', JSON.stringify(user))
  window.location.hash = hash
  window.events.dispatchEvent(Object.assign(new Event('storage'), { key: 'wharf.session' }))
  const server = new FakeServer()
  server.install()
  return server
}

/** Lets promises and effects finish. */
export async function settle(): Promise<void> {
  await act(async () => {
    for (let turn = 0; turn < 12; turn++) await nextTurn()
  })
}

export interface RenderedHook<T, P> {
  /** What the hook returned in the last render. */
  readonly current: T
  rerender(props: P): Promise<void>
  /** Runs what changes state, and everything that follows from it. */
  act(change: () => unknown): Promise<void>
  unmount(): Promise<void>
}

interface Test {
  after(work: () => Promise<void>): void
}

/** A page of the console with a signed-in user, whose hooks and function components can be called. */
export class HookPage {
  readonly server: FakeServer
  readonly storage = storage
  readonly #test: Test

  constructor(test: Test, { hash = '' } = {}) {
    this.#test = test
    this.server = newPage(hash)
  }

  async render<T, P = void>(hook: (props: P) => T, initial?: NoInfer<P>): Promise<RenderedHook<T, P>> {
    const { createRoot } = await import('react-dom/client')
    const { WharfProvider } = await import('../wharf-context.tsx')
    // its children are an argument of createElement
    const Provider = WharfProvider as FunctionComponent<{ userUuid: string }>
    const root = createRoot(page.container)
    let current: T | undefined
    let isMounted = true
    const Caller = ({ props }: { props: P }): ReactNode => {
      current = hook(props)
      return null
    }
    const rerender = async (props: P): Promise<void> => {
      const caller = createElement(Caller, { props })
      await act(async () => root.render(createElement(Provider, { userUuid: user.userUuid }, caller)))
      await settle()
    }
    const unmount = async (): Promise<void> => {
      if (isMounted) await act(async () => root.unmount())
      isMounted = false
    }
    this.#test.after(unmount)
    await rerender(initial as P)
    return {
      get current() {
        return current as T
      },
      rerender,
      unmount,
      async act(change) {
        await act(async () => void (await change()))
        await settle()
      },
    }
  }
}
