/** The conditions of the packages on hosts that have a release installed. */
export const installedOf = (releaseUuid: string): string[] => [
  `releaseUuid=${releaseUuid}`,
  'status?=Installed,Initialized',
]
