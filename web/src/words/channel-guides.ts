// The steps that set up a channel, for people who never programmed.

type Steps = [english: string[], chinese: string[]];

export const channelGuides: Record<string, Steps> = {
  telegram: [
    [
      "In Telegram, open a chat with @BotFather and send /newbot.",
      "Give your bot a name, and a user name that ends in “bot”.",
      "Copy the token from BotFather's answer into the field below.",
      "Test it, switch the channel on, save, and restart.",
      "Write to your bot. It answers with a code that also appears on this page: approve it as owner.",
    ],
    [
      "在 Telegram 中打开与 @BotFather 的对话，发送 /newbot。",
      "给机器人起一个名字，以及一个以 “bot” 结尾的用户名。",
      "把 BotFather 回复的令牌复制到下面的字段。",
      "测试，打开渠道，保存，然后重启。",
      "给你的机器人发一条消息。它会回复一个配对码，本页也会显示：把它批准为主人。",
    ],
  ],
  discord: [
    [
      "Open discord.com/developers/applications and create an application. Give it a name.",
      "On the page Bot, turn on Message Content Intent.",
      "On the same page, choose Reset Token and copy the token into the field below.",
      "On the page OAuth2, choose the scopes bot and applications.commands and the permissions Send Messages, Read Message History, Add Reactions and Attach Files. Open the link that appears and add the bot to your server.",
      "Test it, switch the channel on, save, and restart.",
      "Write to your bot. It answers with a code that also appears on this page: approve it as owner.",
    ],
    [
      "打开 discord.com/developers/applications，新建一个应用并起名。",
      "在 Bot 页面打开 Message Content Intent。",
      "在同一页面选择 Reset Token，把令牌复制到下面的字段。",
      "在 OAuth2 页面选择 bot 和 applications.commands，以及发送消息、读取消息历史、添加表情和上传文件的权限。打开生成的链接，把机器人加入你的服务器。",
      "测试，打开渠道，保存，然后重启。",
      "给你的机器人发一条消息。它会回复一个配对码，本页也会显示：把它批准为主人。",
    ],
  ],
  slack: [
    [
      "Open api.slack.com/apps and create an app “from scratch” in your workspace.",
      "On the page Socket Mode, turn it on and create an app token with connections:write. Copy it into the field below; it begins with xapp-.",
      "On the page OAuth & Permissions, add the bot scopes app_mentions:read, chat:write, files:read, files:write, im:history, channels:history, groups:history, reactions:write and users:read.",
      "On the page Event Subscriptions, turn events on and add app_mention, message.im, message.channels and message.groups. Under App Home, allow messages to the app.",
      "Install the app in your workspace and copy the bot token; it begins with xoxb-.",
      "Test it, switch the channel on, save, and restart. Write to the app and approve its code here.",
    ],
    [
      "打开 api.slack.com/apps，在你的工作区新建应用（from scratch）。",
      "在 Socket Mode 页面打开它，并创建带有 connections:write 的应用令牌，复制到下面的字段；它以 xapp- 开头。",
      "在 OAuth & Permissions 页面添加机器人权限：app_mentions:read、chat:write、files:read、files:write、im:history、channels:history、groups:history、reactions:write 和 users:read。",
      "在 Event Subscriptions 页面打开事件，添加 app_mention、message.im、message.channels 和 message.groups。在 App Home 中允许向应用发消息。",
      "把应用安装到工作区，复制机器人令牌；它以 xoxb- 开头。",
      "测试，打开渠道，保存，然后重启。给应用发消息，并在本页批准它的配对码。",
    ],
  ],
  feishu: [
    [
      "Open open.feishu.cn (Lark: open.larksuite.com), go to the developer console, and create a custom app.",
      "Add the ability “Bot” to the app.",
      "Under permissions allow: im:message, im:message:send_as_bot, im:resource.",
      "Under events choose “long connection” and add “receive message” (im.message.receive_v1).",
      "Copy App ID and App Secret into the fields below, test, switch on, save, and restart.",
      "In the console publish a version of the app. Then write to the bot and approve its code here.",
    ],
    [
      "打开 open.feishu.cn（Lark：open.larksuite.com），进入开发者后台，创建企业自建应用。",
      "为应用添加“机器人”能力。",
      "在权限管理中开通：im:message、im:message:send_as_bot、im:resource。",
      "在事件订阅中选择“长连接”，并添加“接收消息”（im.message.receive_v1）。",
      "把 App ID 和 App Secret 复制到下面的字段，测试，打开渠道，保存，然后重启。",
      "在后台发布应用版本。然后给机器人发消息，并在本页批准它的配对码。",
    ],
  ],
  email: [
    [
      "Choose a mailbox for the assistant, ideally a new one: it reads and answers everything that arrives there.",
      "At your mail provider, turn on IMAP and create an app password.",
      "Fill in both servers below: IMAP for reading, SMTP for sending.",
      "Agree that the mail is read, test, switch the channel on, save, and restart.",
      "Send it an email from your own address. It answers with a code: approve it here.",
    ],
    [
      "为助手选择一个邮箱，最好是专用的：它会阅读并回复收到的邮件。",
      "在邮件服务商处开启 IMAP，并生成一个应用专用密码。",
      "在下面填写两个服务器：IMAP 用于收信，SMTP 用于发信。",
      "同意读取邮件，测试，打开渠道，保存，然后重启。",
      "用你自己的地址给它写一封信。它会回复一个配对码：在本页批准。",
    ],
  ],
  whatsapp: [
    [
      "Your assistant must be reachable at a public https address; enter it in the settings as the public address first.",
      "Open developers.facebook.com, create an app of the type Business, and add WhatsApp to it.",
      "On the page API Setup, copy the phone number ID. In the business settings, create a system user with a permanent token for WhatsApp, and copy the token.",
      "On the page App settings, Basic, copy the app secret. Think of a word for the verify token. Fill in all four below, test, switch on, save, and restart.",
      "On the page Configuration of WhatsApp, enter your address followed by /channels/whatsapp and the same verify token, and subscribe to messages.",
      "Write to the number. It answers with a code that also appears on this page: approve it as owner.",
    ],
    [
      "助手必须能从公网 https 地址访问；请先在设置里填写公网地址。",
      "打开 developers.facebook.com，创建 Business 类型的应用，并添加 WhatsApp。",
      "在 API Setup 页面复制电话号码 ID。在企业设置里创建系统用户，生成 WhatsApp 的永久令牌并复制。",
      "在 App settings 的 Basic 页面复制 App secret。自己想一个验证词。把这四项填在下面，测试，打开渠道，保存，然后重启。",
      "在 WhatsApp 的 Configuration 页面填写你的地址加 /channels/whatsapp，以及同一个验证词，并订阅 messages。",
      "给这个号码发消息。它会回复一个配对码，本页也会显示：把它批准为主人。",
    ],
  ],
  dingtalk: [
    [
      "Open open-dev.dingtalk.com and create an app for your organisation.",
      "Add the ability Robot, and choose Stream mode for receiving messages.",
      "Under permissions allow sending robot messages to people and to groups.",
      "Copy Client ID and Client Secret into the fields below, test, switch on, save, and restart.",
      "Publish the app. Then write to the robot and approve its code here.",
    ],
    [
      "打开 open-dev.dingtalk.com，创建企业内部应用。",
      "添加“机器人”能力，消息接收模式选择 Stream 模式。",
      "在权限管理中开通：企业内机器人发送消息权限。",
      "把 Client ID 和 Client Secret 复制到下面的字段，测试，打开渠道，保存，然后重启。",
      "发布应用。然后给机器人发消息，并在本页批准它的配对码。",
    ],
  ],
  wecom: [
    [
      "In the WeCom app, open the workbench, choose Intelligent bot, and create one in API mode.",
      "Choose long connection as the way of connecting.",
      "Copy Bot ID and Secret into the fields below, test, switch on, save, and restart.",
      "Write to the bot and approve its code here.",
    ],
    [
      "在企业微信的工作台打开“智能机器人”，用 API 模式创建一个机器人。",
      "连接方式选择“长连接”。",
      "把 Bot ID 和 Secret 复制到下面的字段，测试，打开渠道，保存，然后重启。",
      "给机器人发消息，并在本页批准它的配对码。",
    ],
  ],
  qq: [
    [
      "Open q.qq.com, sign in, and create a bot.",
      "On the page for development settings, copy AppID and AppSecret into the fields below.",
      "On the page for the sandbox, add yourself, so that you can write to the bot before it is published.",
      "Test it, switch the channel on, save, and restart.",
      "Scan the code of the bot with QQ, write to it, and approve its code here.",
    ],
    [
      "打开 q.qq.com，登录并创建机器人。",
      "在“开发设置”页面，把 AppID 和 AppSecret 复制到下面的字段。",
      "在“沙箱配置”页面加上你自己，这样发布前就能和机器人聊天。",
      "测试，打开渠道，保存，然后重启。",
      "用 QQ 扫描机器人的二维码，给它发消息，并在本页批准它的配对码。",
    ],
  ],
  matrix: [
    [
      "Create an account for the assistant on a Matrix server, and sign in with Element.",
      "In Element, open Settings, Help & About, and copy the access token into the field below. Do not sign out there.",
      "Enter the address of the server, test, switch on, save, and restart.",
      "With your own account, create a room with encryption turned off, and invite the assistant. It cannot read encrypted rooms.",
      "Write in that room and approve its code here.",
    ],
    [
      "在一个 Matrix 服务器上为助手创建账号，用 Element 登录。",
      "在 Element 的“设置”里打开“帮助及关于”，把访问令牌复制到下面的字段。不要在那里退出登录。",
      "填写服务器地址，测试，打开渠道，保存，然后重启。",
      "用你自己的账号新建一个关闭加密的房间，邀请助手。它读不了加密的房间。",
      "在房间里发消息，并在本页批准它的配对码。",
    ],
  ],
  mattermost: [
    [
      "In the system console of your server, under Integrations, allow bot accounts.",
      "Under Integrations, Bot accounts, add a bot and copy its token into the field below.",
      "Add the bot to your team, and to the channels that it should hear.",
      "Enter the address of the server, test, switch on, save, and restart. Write to the bot and approve its code here.",
    ],
    [
      "在服务器的系统控制台的“集成”里允许机器人账号。",
      "在“集成”的“机器人账号”里新建机器人，把令牌复制到下面的字段。",
      "把机器人加入你的团队和需要它的频道。",
      "填写服务器地址，测试，打开渠道，保存，然后重启。给机器人发消息，并在本页批准它的配对码。",
    ],
  ],
  xmpp: [
    [
      "Create an account for the assistant on an XMPP server, such as nano@example.org.",
      "Enter its address and password below, test, switch on, save, and restart.",
      "Add the assistant to your contacts, write to it, and approve its code here.",
      "To use it in a room, add the address of the room below.",
    ],
    [
      "在一个 XMPP 服务器上为助手创建账号，例如 nano@example.org。",
      "在下面填写地址和密码，测试，打开渠道，保存，然后重启。",
      "把助手加为联系人，给它发消息，并在本页批准它的配对码。",
      "要在聊天室里使用，请在下面填写聊天室的地址。",
    ],
  ],
  irc: [
    [
      "Choose a network and a name for the assistant. Where the network has accounts, register one and enter it with its password.",
      "Enter the server and the rooms to join, test, switch on, save, and restart.",
      "Write to the assistant in private and approve its code here. Names on IRC can be taken by anyone, so nothing can be approved there unless you allow only people with accounts.",
    ],
    [
      "选择一个网络，给助手起一个名字。如果网络有账号，请注册一个，并填写账号和密码。",
      "填写服务器和要加入的频道，测试，打开渠道，保存，然后重启。",
      "私聊助手，并在本页批准它的配对码。IRC 上的名字谁都可以用，所以在那里不能批准操作，除非你只允许有账号的人。",
    ],
  ],
};
