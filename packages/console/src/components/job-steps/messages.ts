import { jobSteps } from '@wharf/contract'
import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    steps: 'Steps',
    states: {
      Pending: 'Pending',
      Running: 'In progress',
      Succeeded: 'Succeeded',
      Failed: 'Failed',
      Cancelled: 'Cancelled',
      Undoing: 'Undoing',
      Undone: 'Undone',
      UndoFailed: 'Undo failed',
      Skipped: 'Skipped',
    },
    titles: jobSteps,
  },
  zh: {
    steps: '步骤',
    states: {
      Pending: '等待中',
      Running: '进行中',
      Succeeded: '成功',
      Failed: '失败',
      Cancelled: '已取消',
      Undoing: '正在撤销',
      Undone: '已撤销',
      UndoFailed: '撤销失败',
      Skipped: '未执行',
    },
    titles: {
      AddBackupStorage: { pin: '记录并信任主机密钥', try: '读写测试文件' },
      AddClusterPlugin: { try: '登录集群' },
      AddHost: { pin: '记录并信任主机密钥', connect: '连接并读取主机信息' },
      AttachClusterPluginAlerts: { attach: '配置集群告警' },
      CreateClusterPluginAlertPlatform: { attach: '配置集群告警' },
      CreateMigrateVmInstance: {
        check: '检查是否已有虚拟机',
        image: '复制镜像到主机',
        disk: '创建磁盘',
        start: '启动虚拟机',
      },
      DeleteMigrateVmInstance: { remove: '删除虚拟机及其磁盘' },
      DeleteSoftwarePackage: { remove: '删除软件包文件' },
      InstallSoftwarePackage: {
        copy: '复制软件包到主机',
        run: '运行安装钩子',
        provide: '准备软件包的资源',
        verify: '运行验证钩子',
      },
      RemoveClusterPlugin: { detach: '解除集群告警' },
      TestChatAppEndpoint: { send: '发送测试消息' },
      UninstallSoftwarePackage: {
        run: '运行卸载钩子',
        withdraw: '释放软件包的资源',
        remove: '从主机移除文件',
      },
      UpdateClusterConfig: {
        reach: '检查节点间的连通性',
        initialise: '初始化集群',
        quorum: '等待集群达到法定节点数',
        token: '创建 API 令牌',
        alerts: '配置集群告警',
      },
      UploadSoftwarePackage: {
        check: '检查路径',
        reserve: '创建目录',
        transfer: '传输并检查归档文件',
        unpack: '解压归档文件',
        place: '发布解压后的目录',
        tidy: '清理临时文件',
      },
      UploadSoftwarePackageToBackupStorage: {
        reserve: '预留路径',
        transfer: '传输并检查归档文件',
        unpack: '提取镜像',
        tidy: '清理临时文件',
      },
    },
  },
})
