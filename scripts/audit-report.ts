interface Finding {
  readonly severity: string
  readonly range: string
}

/** What `npm audit --json` says, for a person, and whether it stops a release. */
export function readAudit(json: string): { text: string; exitCode: 0 | 1 } {
  let report: { vulnerabilities?: Record<string, Finding>; message?: string; error?: { summary?: string } }
  try {
    report = JSON.parse(json)
  } catch {
    report = { message: 'npm said nothing' }
  }
  const { vulnerabilities } = report
  if (vulnerabilities === undefined)
    return { text: `could not be asked: ${report.message ?? report.error?.summary ?? 'no reason given'}`, exitCode: 0 }
  const findings = Object.entries(vulnerabilities)
  const grave = findings.filter(([, { severity }]) => severity === 'high' || severity === 'critical')
  const lines = findings.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`)
  return { text: [...lines, `${grave.length} high or critical`].join('\n'), exitCode: grave.length > 0 ? 1 : 0 }
}
