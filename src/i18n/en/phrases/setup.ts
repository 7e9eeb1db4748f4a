// Why no model can be asked although one was chosen, in English.

const list = (names: string[]) => (names.length === 0 ? "none" : names.join(", "));
const configured = (hosts: string[]) => `Configured hosts: ${list(hosts)}.`;

export const setupPhrases = {
  "setup.unknown-preset": ({ preset, known }: { preset: string; known: string[] }) =>
    `There is no model preset "${preset}". modelPresets: ${list(known)}.`,
  "setup.unknown-provider": (params: { provider: string; nearest?: string; configured: string[] }) =>
    `There is no model host "${params.provider}". ${params.nearest === undefined ? "" : `Did you mean "${params.nearest}"? `}A name of your own needs providers.<name>.apiBase. ${configured(params.configured)}`,
  "setup.missing-key": (params: {
    model: string;
    host: string;
    variable: string;
    path: string;
    configured: string[];
  }) =>
    `"${params.model}" needs a key for ${params.host}: set ${params.variable}, or ${params.path} in config.json. ${configured(params.configured)}`,
  "setup.missing-base": (params: { model: string; host: string; path: string; configured: string[] }) =>
    `"${params.model}" needs the address of ${params.host}: set ${params.path} in config.json. ${configured(params.configured)}`,
  "setup.missing-script": ({ path }: { path: string }) =>
    `The scripted model needs a script file: set ${path} in config.json.`,
  "setup.missing-model": ({ host, path }: { host: string; path: string }) =>
    `No model is named for ${host}: set ${path} in config.json.`,
  "setup.no-host": (params: { model: string; configured: string[] }) =>
    `No configured host takes the model "${params.model}". Name one in agents.defaults.provider, or write host/model. ${configured(params.configured)}`,
  "setup.proxy-password": ({ status }: { status: number }) =>
    `The proxy asks for a user name and password (${status}). Write its address as http://user:password@host:port.`,
  "setup.proxy-refused": ({ status }: { status: number }) =>
    `The proxy refused the connection (${status}). Check its address and what it allows.`,
  "setup.bad-proxy": ({ setting }: { setting: string }) =>
    `${setting} is not a usable proxy address. Write it like http://host:8080 (https:// and socks5:// work too).`,
};
