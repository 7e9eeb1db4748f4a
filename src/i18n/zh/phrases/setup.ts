// Why no model can be asked although one was chosen, in Chinese.
import type { setupPhrases as english } from "../../en/phrases/setup.ts";

const list = (names: string[]) => (names.length === 0 ? "无" : names.join("、"));
const configured = (hosts: string[]) => `已配置的服务商：${list(hosts)}。`;

export const setupPhrases: typeof english = {
  "setup.unknown-preset": ({ preset, known }) =>
    `没有名为“${preset}”的模型预设。modelPresets：${list(known)}。`,
  "setup.unknown-provider": (params) =>
    `没有名为“${params.provider}”的模型服务商。${params.nearest === undefined ? "" : `你是不是想用“${params.nearest}”？`}自定义的名称需要 providers.<name>.apiBase。${configured(params.configured)}`,
  "setup.missing-key": (params) =>
    `“${params.model}”需要 ${params.host} 的密钥：请设置 ${params.variable}，或 config.json 里的 ${params.path}。${configured(params.configured)}`,
  "setup.missing-base": (params) =>
    `“${params.model}”需要 ${params.host} 的地址：请设置 config.json 里的 ${params.path}。${configured(params.configured)}`,
  "setup.missing-script": ({ path }) => `脚本模型需要脚本文件：请设置 config.json 里的 ${path}。`,
  "setup.missing-model": ({ host, path }) => `没有为 ${host} 指定模型：请设置 config.json 里的 ${path}。`,
  "setup.no-host": (params) =>
    `已配置的服务商里没有一个接受模型“${params.model}”。请在 agents.defaults.provider 里指定一个，或写成 服务商/模型。${configured(params.configured)}`,
  "setup.proxy-password": ({ status }) =>
    `代理要求用户名和密码（${status}）。请把地址写成 http://user:password@host:port。`,
  "setup.proxy-refused": ({ status }) => `代理拒绝了连接（${status}）。请检查代理地址和它允许的访问。`,
  "setup.bad-proxy": ({ setting }) =>
    `${setting} 不是可用的代理地址。请写成 http://host:8080 这样（https:// 和 socks5:// 也可以）。`,
};
