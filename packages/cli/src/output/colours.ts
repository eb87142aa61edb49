import type { OutputStream } from '../io.ts'

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

const ansi: Colours = { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33) }
const plain: Paint = (text) => text
const none: Colours = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain }

type Environment = Readonly<Record<string, string | undefined>>

/** no-color.org: NO_COLOR disables colours when it is set and not empty. */
export const hasColours = (stream: OutputStream, env: Environment): boolean =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb'

export const coloursFor = (stream: OutputStream, env: Environment): Colours => (hasColours(stream, env) ? ansi : none)

const good =
  /^(Enabled|Connected|Alive|Uploaded|Installed|AlreadyInstalled|Initialized|Success|Succeeded|Delivered|Ready|resolved)$/
const bad =
  /^(Disconnected|Dead|UploadFailed|InstallFailed|InitializeFailed|Failed|Failure|TimedOut|Unreachable|RollbackFailed|Denied|Missing|firing)$/
const halfway =
  /^(Connecting|Uploading|Transferring|Installing|Verifying|Initializing|Waiting|Running|Soaking|AwaitingPromotion|AwaitingApproval|Paused|Undoing|RollingBack|RolledBack|Stopped|Disabled|Cancelled)$/

/** Colours known states. */
export function paintState(colours: Colours, text: string): string {
  if (good.test(text)) return colours.green(text)
  if (bad.test(text)) return colours.red(text)
  return halfway.test(text) ? colours.yellow(text) : text
}
