import { defineMessages } from '../../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: (name: string) => `Install ${name}`,
    intro: 'Runs the installer of the package on the host. The log is shown on this page.',
    createsVm:
      'Installing this package creates a virtual machine for the migration gateway. The log is shown on this page.',
    vm: {
      hostUuid: 'Host',
      cpu: 'CPUs',
      memoryBytes: 'Memory (bytes)',
      network: 'Network',
      networkHelp:
        'network:NAME or bridge:NAME of libvirt on that host, or user. Empty: the default network of libvirt.',
    },
    noSchema: 'Could not load the configuration schema of this package',
    install: 'Install',
    host: 'Host',
    hostHelp: 'The package is on backup storage and is transferred to this host.',
    chooseHost: 'Choose a host',
    unusable: (state: string) => `Not available: ${state}`,
    config: 'Configuration',
    configHelp: 'JSON for the installer. Leave empty if the package needs none. The server validates it.',
    notJson: 'Not a JSON object.',
    required: 'Required',
    prefilled: 'Filled in from the previous installation; enter secrets again.',
  },
  zh: {
    title: (name: string) => `安装 ${name}`,
    intro: '软件包自带的安装程序会在主机上运行，日志显示在本页。',
    createsVm: '安装此软件包会创建一台迁移网关虚拟机，日志显示在本页。',
    vm: {
      hostUuid: '主机',
      cpu: '处理器',
      memoryBytes: '内存（字节）',
      network: '网络',
      networkHelp: '该主机 libvirt 的 network:名称 或 bridge:名称，或 user；留空则使用 libvirt 的默认网络。',
    },
    noSchema: '无法加载此软件包的配置模式',
    install: '安装',
    host: '主机',
    hostHelp: '软件包位于备份存储，会先传输到该主机。',
    chooseHost: '选择主机',
    unusable: (state: string) => `不可用：${state}`,
    config: '配置',
    configHelp: '传给安装程序的 JSON；软件包不需要配置时留空。由服务器校验。',
    notJson: '不是 JSON 对象。',
    required: '必填',
    prefilled: '已填入上次安装时的配置；密钥类内容需要重新填写。',
  },
})
