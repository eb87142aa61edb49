import type { JobTitle, jobTitles } from '@wharf/contract'

const at = (place: string | undefined): string => (place ? `在 ${place} 上` : '')

/** The Chinese title of a job by its operation; the contract has the English ones. */
export const zh: Record<keyof typeof jobTitles, JobTitle> = {
  UploadSoftwarePackage: (name, place) => `上传${name ? ` ${name}` : '软件包'}${place ? ` 到 ${place}` : ''}`,
  UploadSoftwarePackageToBackupStorage: (name, place) =>
    `上传${name ? ` ${name} ` : '软件包'}到${place ? ` ${place}` : '备份存储'}`,
  InstallSoftwarePackage: (name, place) => `${at(place)}安装${name ? ` ${name}` : '软件包'}`,
  UninstallSoftwarePackage: (name, place) => `${at(place)}卸载${name ? ` ${name}` : '软件包'}`,
  UpgradeSoftwarePackage: (name, place) => `${at(place)}升级到${name ? ` ${name}` : '新版本'}`,
  RollBackSoftwarePackage: (name, place) => `${at(place)}回滚到${name ? ` ${name}` : '上一版本'}`,
  VerifySoftwarePackage: (name, place) => `${at(place)}验证${name ? ` ${name}` : '软件包'}`,
  DeleteSoftwarePackage: (name, place) => `${at(place)}删除${name ? ` ${name}` : '软件包'}`,
  PublishRelease: (name, place) => `发布${name ? ` ${name}` : '软件包'}${place ? `（${place}）` : ''}`,
  RollOutRelease: (name, place) => `${at(place)}部署${name ? ` ${name}` : '版本'}`,
  VerifyRelease: (name, place) => `${at(place)}验证${name ? ` ${name}` : '版本'}`,
  RollBackRelease: (name, place) => `${at(place)}回滚${name ? ` ${name}` : '版本'}`,
  RemoveRelease: (name, place) => `${at(place)}移除${name ? ` ${name}` : '版本'}`,
  AddHost: (name) => `添加主机 ${name ?? ''}`.trim(),
  RotateHostKey: (name) => `轮换 SSH 密钥：${name ?? '主机'}`,
  UpdateHost: (name) => `修改主机 ${name ?? ''}`.trim(),
  AddBackupStorage: (name) => `添加备份存储 ${name ?? ''}`.trim(),
  UpdateBackupStorage: (name) => `修改备份存储 ${name ?? ''}`.trim(),
  AddClusterPlugin: (name) => `添加集群 ${name ?? ''}`.trim(),
  UpdateClusterPlugin: (name) => `修改集群 ${name ?? ''}`.trim(),
  UpdateClusterConfig: (name, place) => `${at(place)}配置集群 ${name ?? ''}`.trim(),
  CreateClusterPluginAlertPlatform: (name) => `接收集群${name ? ` ${name} ` : ''}的告警`,
  AttachClusterPluginAlerts: (name) => `重新配置集群${name ? ` ${name} ` : ''}的告警`,
  RemoveClusterPlugin: (name) => `移除集群 ${name ?? ''}`.trim(),
  TestChatAppEndpoint: (name) => `发送测试消息${name ? `到 ${name}` : ''}`,
  CreateMigrateVmInstance: (name, place) => `${at(place)}创建虚拟机 ${name ?? ''}`.trim(),
  DeleteMigrateVmInstance: (name, place) => `${at(place)}删除虚拟机 ${name ?? ''}`.trim(),
}
