// `npm run audit`: whether what is shipped has holes that are known. Not every registry can be asked.
import { spawnSync } from 'node:child_process'
import { readAudit } from './audit-report.ts'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 120_000 })
const { text, exitCode } = readAudit(stdout ?? '')
console.log(text)
process.exitCode = exitCode
