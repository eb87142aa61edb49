interface Finding {
  readonly severity: string
  readonly range: string
}

/** The report of `npm audit --json` as text, and whether it stops a release. */
export function readAudit(json: string): { text: string; exitCode: 0 | 1 } {
  let report: { vulnerabilities?: Record<string, Finding>; message?: string; error?: { summary?: string } }
  try {
    report = JSON.parse(json)
  } catch {
    report = { message: 'npm returned no report' }
  }
  const { vulnerabilities } = report
  if (vulnerabilities === undefined)
    return {
      text: `the registry returned no audit: ${report.message ?? report.error?.summary ?? 'no reason'}`,
      exitCode: 0,
    }
  const findings = Object.entries(vulnerabilities)
  const severe = findings.filter(([, { severity }]) => severity === 'high' || severity === 'critical')
  const lines = findings.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`)
  return { text: [...lines, `${severe.length} high or critical`].join('\n'), exitCode: severe.length > 0 ? 1 : 0 }
}
