import { hostErrors, storageErrors } from './errors.ts'
import { operation } from './operation.ts'
import { optional, Text } from './schema.ts'
import { SoftwarePackageInventory } from './software-packages.ts'
import { Type } from './type.ts'

const since = 'wharf-1.1.0'
const resource = 'software-packages'
const actions = '/v1/software-package/{uuid}/actions'

/** What running the hooks of a package on its host can fail with. */
const hookErrors = ['SYS.1003', 'SYS.1005', 'SYS.1012', 'SYS.1016', ...hostErrors, 'SoftwarePackage.1132'] as const

export const upgradeSoftwarePackage = operation({
  name: 'UpgradeSoftwarePackage',
  client: 'softwarePackages.upgrade',
  resource,
  method: 'PUT',
  path: actions,
  structure: 'upgradeSoftwarePackage',
  summary: 'Replace an installed package by a release of the same software; a failure restores the earlier version',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 12 * 60 * 60,
  fields: {
    releaseUuid: Text(511, { description: 'The release to install: its uuid, <name>@<version>, or <name>@latest' }),
    config: optional(
      Type.Unsafe<string | Record<string, unknown>>({
        type: ['string', 'object'],
        maxLength: 128 * 1024,
        additionalProperties: true,
        'x-verbatim': true,
        description:
          'The configuration of the new version, as an object or as JSON text of at most 128 KiB; defaults to the configuration of the installed version',
      }),
    ),
  },
  answer: { inventory: SoftwarePackageInventory.schema },
  errors: [
    'SYS.1002',
    'SYS.1004',
    'SYS.1015',
    ...hookErrors,
    ...storageErrors,
    'SoftwarePackage.1000',
    'SoftwarePackage.1101',
    'SoftwarePackage.1121',
    'SoftwarePackage.1131',
    'SoftwarePackage.1300',
    'SoftwarePackage.1310',
    'SoftwarePackage.1901',
  ],
})

export const rollBackSoftwarePackage = operation({
  name: 'RollBackSoftwarePackage',
  client: 'softwarePackages.rollBack',
  resource,
  method: 'PUT',
  path: actions,
  structure: 'rollBackSoftwarePackage',
  summary:
    'Install the previous version on the host again, with its configuration; a failure restores the current version',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 2 * 60 * 60,
  fields: {},
  answer: { inventory: SoftwarePackageInventory.schema },
  errors: [
    'SYS.1002',
    'SYS.1004',
    ...hookErrors,
    'SoftwarePackage.1300',
    'SoftwarePackage.1310',
    'SoftwarePackage.1901',
  ],
})

export const verifySoftwarePackage = operation({
  name: 'VerifySoftwarePackage',
  client: 'softwarePackages.verify',
  resource,
  method: 'PUT',
  path: actions,
  structure: 'verifySoftwarePackage',
  summary: 'Run the verify hook of an installed package and store its health; fails when the package is Unhealthy',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {},
  answer: { inventory: SoftwarePackageInventory.schema },
  errors: ['SYS.1002', ...hookErrors, 'SoftwarePackage.1300', 'SoftwarePackage.1901'],
})

export const getSoftwarePackageConfig = operation({
  name: 'GetSoftwarePackageConfig',
  client: 'softwarePackages.config',
  resource,
  method: 'GET',
  path: '/v1/software-package/{uuid}/config',
  summary:
    'Get the configuration with which a package was installed, without the fields that its schema marks writeOnly',
  since,
  permission: 'administer',
  fields: {},
  answer: {
    config: Type.Unsafe<string | Record<string, unknown> | null>({
      type: ['string', 'object', 'null'],
      additionalProperties: true,
      description: 'An object, or text for a package that was installed with text; null when none is stored',
    }),
  },
  errors: ['SYS.1003'],
})
