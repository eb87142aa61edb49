/** The numbers in the reason of a rollout whose wave had too many failures: failed hosts, hosts, wave. */
export function waveFailure(reason: string): readonly [failed: string, size: string, wave: string] | undefined {
  const [, failed = '', size = '', wave = ''] = /^(\d+) of (\d+) hosts of wave (\d+) failed$/.exec(reason) ?? []
  return failed === '' ? undefined : [failed, size, wave]
}
