import type { Screen } from '../io.ts'

type Paint = (text: string) => string

export interface Colours {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
}

const paint =
  (code: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[0m`

const some: Colours = { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33) }
const plain: Paint = (text) => text
const none: Colours = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain }

/** no-color.org: set and not empty means none, wherever the words go. */
export function coloursFor(screen: Screen, env: Readonly<Record<string, string | undefined>>): Colours {
  const isWanted = screen.isTTY && !env.NO_COLOR && env.TERM !== 'dumb'
  return isWanted ? some : none
}

const good = /^(Enabled|Connected|Alive|Uploaded|Installed|Initialized|Succeeded|Delivered|Ready|resolved)$/
const bad = /^(Disconnected|Dead|UploadFailed|InstallFailed|InitializeFailed|Failed|Missing|firing)$/
const halfway = /^(Connecting|Uploading|Installing|Initializing|Waiting|Running|Undoing|Disabled|Cancelled)$/

/** States are seen at a glance. */
export function paintState(colours: Colours, text: string): string {
  if (good.test(text)) return colours.green(text)
  if (bad.test(text)) return colours.red(text)
  return halfway.test(text) ? colours.yellow(text) : text
}
