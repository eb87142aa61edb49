const on = (place: string | undefined): string => (place ? ` on ${place}` : '')
const to = (place: string | undefined): string => (place ? ` to ${place}` : '')
const from = (place: string | undefined): string => (place ? ` from ${place}` : '')
const at = (place: string | undefined): string => (place ? `在 ${place} 上` : '')

export type Title = (name: string | undefined, place: string | undefined) => string

/** The title of a job by its operation; unknown names are omitted. */
export const en = {
  UploadSoftwarePackage: (name, place) => `Upload ${name ?? 'a package'}${to(place)}`,
  UploadSoftwarePackageToBackupStorage: (name) => `Upload ${name ?? 'a package'} to backup storage`,
  InstallSoftwarePackage: (name, place) => `Install ${name ?? 'a package'}${on(place)}`,
  UninstallSoftwarePackage: (name, place) => `Uninstall ${name ?? 'a package'}${from(place)}`,
  DeleteSoftwarePackage: (name, place) => `Delete ${name ?? 'a package'}${from(place)}`,
  AddHost: (name) => `Add host ${name ?? ''}`.trim(),
  AddBackupStorage: (name) => `Add backup storage ${name ?? ''}`.trim(),
  AddClusterPlugin: (name) => `Add cluster ${name ?? ''}`.trim(),
  UpdateClusterConfig: (name) => `Configure cluster ${name ?? ''}`.trim(),
  CreateClusterPluginAlertPlatform: (name) => `Receive alerts of cluster ${name ?? ''}`.trim(),
  AttachClusterPluginAlerts: (name) => `Attach alerts of cluster ${name ?? ''}`.trim(),
  RemoveClusterPlugin: (name) => `Remove cluster ${name ?? ''}`.trim(),
  TestChatAppEndpoint: (name) => `Send a test message${to(name)}`,
  CreateMigrateVmInstance: (name, place) => `Create VM ${name ?? ''}`.trim() + on(place),
  DeleteMigrateVmInstance: (name, place) => `Delete VM ${name ?? ''}`.trim() + from(place),
} as const satisfies Record<string, Title>

export const zh: Record<keyof typeof en, Title> = {
  UploadSoftwarePackage: (name, place) => `上传${name ? ` ${name}` : '软件包'}${place ? ` 到 ${place}` : ''}`,
  UploadSoftwarePackageToBackupStorage: (name) => `上传${name ? ` ${name} ` : '软件包'}到备份存储`,
  InstallSoftwarePackage: (name, place) => `${at(place)}安装${name ? ` ${name}` : '软件包'}`,
  UninstallSoftwarePackage: (name, place) => `${at(place)}卸载${name ? ` ${name}` : '软件包'}`,
  DeleteSoftwarePackage: (name, place) => `${at(place)}删除${name ? ` ${name}` : '软件包'}`,
  AddHost: (name) => `添加主机 ${name ?? ''}`.trim(),
  AddBackupStorage: (name) => `添加备份存储 ${name ?? ''}`.trim(),
  AddClusterPlugin: (name) => `添加集群 ${name ?? ''}`.trim(),
  UpdateClusterConfig: (name) => `配置集群 ${name ?? ''}`.trim(),
  CreateClusterPluginAlertPlatform: (name) => `接收集群${name ? ` ${name} ` : ''}的告警`,
  AttachClusterPluginAlerts: (name) => `重新配置集群${name ? ` ${name} ` : ''}的告警`,
  RemoveClusterPlugin: (name) => `移除集群 ${name ?? ''}`.trim(),
  TestChatAppEndpoint: (name) => `发送测试消息${name ? `到 ${name}` : ''}`,
  CreateMigrateVmInstance: (name, place) => `${at(place)}创建虚拟机 ${name ?? ''}`.trim(),
  DeleteMigrateVmInstance: (name, place) => `${at(place)}删除虚拟机 ${name ?? ''}`.trim(),
}
