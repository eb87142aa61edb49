import type { TaggedClusterConfiguration } from '@wharf/contract'

/** The fields as typed. */
export interface ClusterForm {
  readonly kind: 'new' | 'takeover'
  readonly name: string
  readonly address: string
  readonly apiPort: string
  readonly adminToken: string
  readonly softwarePackageUuid: string
  readonly managementIp: string
  readonly second: string
  readonly third: string
  readonly managementNetworkCidr: string
  readonly publicNetworkCidr: string
  readonly clusterNetworkCidr: string
  readonly gatewayNetworkCidr: string
  readonly otherStorageIp: string
  readonly username: string
  readonly password: string
}

export const emptyForm: ClusterForm = {
  kind: 'new',
  name: '',
  address: '',
  apiPort: '',
  adminToken: '',
  softwarePackageUuid: '',
  managementIp: '',
  second: '',
  third: '',
  managementNetworkCidr: '',
  publicNetworkCidr: '',
  clusterNetworkCidr: '',
  gatewayNetworkCidr: '',
  otherStorageIp: '',
  username: '',
  password: '',
}

/** Fills the form with the last configuration. */
export function formOf({ otherManagementIp, otherStorageIp, ...same }: TaggedClusterConfiguration): ClusterForm {
  const [second = '', third = ''] = otherManagementIp
  const { gatewayNetworkCidr, publicNetworkCidr } = same
  return {
    ...emptyForm,
    ...same,
    second,
    third,
    gatewayNetworkCidr: gatewayNetworkCidr === publicNetworkCidr ? '' : gatewayNetworkCidr,
    otherStorageIp: otherStorageIp.join('\n'),
  }
}

/** Separated by whitespace or commas. */
export const storageAddresses = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

const given = <K extends string>(name: K, text: string): Partial<Record<K, string>> =>
  text.trim() === '' ? {} : ({ [name]: text.trim() } as Record<K, string>)

export function pluginInput({ kind, name, address, apiPort, adminToken, managementIp }: ClusterForm) {
  const isTakeover = kind === 'takeover'
  return {
    name: name.trim(),
    ...given('managementIp', isTakeover ? address : managementIp),
    ...(apiPort.trim() === '' ? {} : { apiPort: Number(apiPort) }),
    ...(isTakeover ? { adminToken: adminToken.trim() } : {}),
  }
}

export function configurationInput(form: ClusterForm, uuid: string) {
  const storage = storageAddresses(form.otherStorageIp)
  return {
    uuid,
    softwarePackageUuid: form.softwarePackageUuid,
    managementIp: form.managementIp.trim(),
    otherManagementIp: [form.second.trim(), form.third.trim()],
    managementNetworkCidr: form.managementNetworkCidr.trim(),
    publicNetworkCidr: form.publicNetworkCidr.trim(),
    clusterNetworkCidr: form.clusterNetworkCidr.trim(),
    ...given('gatewayNetworkCidr', form.gatewayNetworkCidr),
    ...(storage.length === 0 ? {} : { otherStorageIp: storage }),
    ...given('username', form.username),
    ...(form.password === '' ? {} : { password: form.password }),
  }
}
