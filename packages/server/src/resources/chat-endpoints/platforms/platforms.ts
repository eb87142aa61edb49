import type { ChatKind, ChatPlatform } from './chat-platform.ts'
import { dingTalk } from './dingtalk.ts'
import { feiShu } from './feishu.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { weCom } from './wecom.ts'

export const chatPlatforms: Readonly<Record<ChatKind, ChatPlatform>> = {
  DingTalk: dingTalk,
  WeCom: weCom,
  FeiShu: feiShu,
  Slack: slack,
  Teams: teams,
}
