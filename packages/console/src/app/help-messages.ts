import { defineMessages } from '../i18n/messages.ts'
import type { PageName } from './pages.ts'

const en: Record<PageName, string> = {
  overview: 'The state of the whole system: what failed, what runs, and how full hosts and storage are.',
  packages: 'Software packages on hosts and backup storage. Upload a package, install it, and read its log.',
  releases:
    'Published versions of software, and the hosts that have them installed. A release never changes; retire it to stop its distribution.',
  rollouts:
    'Releases that reach many hosts in waves, paused when something breaks. Maintenance windows restrict when hosts are changed.',
  migration: 'Images and virtual machines of the migration gateway.',
  hosts: 'The machines that run packages. Add a host over SSH; Wharf pins its key and checks the connection regularly.',
  'backup-storage': 'Storage that keeps packages and images until they are sent to hosts.',
  clusters:
    'Storage clusters that a package forms from several hosts. A failed formation resumes at its last finished step.',
  alerts:
    'Alerts that clusters and other platforms send in the format of Alertmanager. Acknowledge or silence them here.',
  chat: 'Chat groups that receive alerts, the persons they mention, and the deliveries of messages.',
  explain: 'Paste an error message or a code to see what it means and what to do.',
  jobs: 'Long operations: their steps, logs and results. A failed job can be retried, a running one cancelled.',
  'access-keys': 'Keys with which programs sign their requests. A secret is shown once, when the key is created.',
  accounts: 'Accounts, their users and what each user may do.',
  audit:
    'Who did what: every change, refused call and sign-in, with the values before and after. An export can be verified offline.',
  account: 'Your own password, second factor, sessions and access keys, and your language and theme.',
  documents: 'How to use, operate and extend Wharf.',
}

const zh: Record<PageName, string> = {
  overview: '整个系统的状态：失败的、正在运行的，以及主机和存储的使用情况。',
  packages: '主机和备份存储上的软件包。可上传、安装软件包并查看日志。',
  releases: '已发布的软件版本，以及安装了它们的主机。发布后内容不再改变；退役后不再分发。',
  rollouts: '将发布版本分批安装到多台主机，出现问题时自动暂停。维护窗口限制更改主机的时间。',
  migration: '迁移网关的镜像和虚拟机。',
  hosts: '运行软件包的机器。通过 SSH 添加主机；Wharf 会固定其密钥并定期检查连接。',
  'backup-storage': '保存软件包和镜像的存储，之后可发送到主机。',
  clusters: '由软件包在多台主机上组建的存储集群。组建失败后可从最后完成的步骤继续。',
  alerts: '集群和其他平台以 Alertmanager 格式发送的告警。可在此确认或静默。',
  chat: '接收告警的聊天群组、需要提醒的人员以及消息的发送记录。',
  explain: '粘贴错误信息或错误码，查看其含义和处理办法。',
  jobs: '耗时较长的操作：步骤、日志和结果。失败的任务可以重试，运行中的任务可以取消。',
  'access-keys': '程序用来签名请求的密钥。密钥内容仅在创建时显示一次。',
  accounts: '账户、其用户以及每个用户的权限。',
  audit: '谁做了什么：每一次更改、被拒绝的调用和登录，以及更改前后的值。导出的文件可以离线校验。',
  account: '您自己的密码、第二因素、会话和访问密钥，以及语言和主题。',
  documents: '如何使用、运维和扩展 Wharf。',
}

/** What each page is for. */
export const helpMessages = defineMessages({ en, zh })
