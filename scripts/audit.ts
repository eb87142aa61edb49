// `npm run audit`: known vulnerabilities of the shipped packages. Not every registry supports audits.
import { spawnSync } from 'node:child_process'
import { readAudit } from './audit-report.ts'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 120_000 })
const { text, exitCode } = readAudit(stdout ?? '')
console.log(text)
process.exitCode = exitCode
