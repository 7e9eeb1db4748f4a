// What the terminal says about MCP servers, in English.

export const englishMcp = {
  /** Why a server cannot be used. */
  problems: {
    noTarget: () => "it has neither a command nor a url",
    badAddress: () => "its url is not an address that begins with http:// or https://",
    oauth: () => "signing in by the browser (auth: oauth) is not supported; put a token into its headers",
    noProgram: (program: string) =>
      `the program ${program} was not found; install it, or write its full path`,
    noFolder: (folder: string) => `its folder ${folder} does not exist`,
    ended: (last: string) => `it ended by itself${last === "" ? "" : `: ${last}`}`,
    noAnswer: (seconds: string) => `it did not answer${seconds === "" ? "" : ` within ${seconds} s`}`,
    unreachable: (code: string) => `it cannot be reached (${code}); check its url and the network`,
    refused: (status: string) => `it refused us (${status}); check the token in its headers`,
    redirected: (status: string) =>
      `it sends us to another address (${status}), which is not followed; use the new url if you trust it`,
    status: (status: string) => `it answered with the HTTP status ${status}`,
    tooLarge: (megabytes: string) => `it sent more than ${megabytes} MB at once and was ended`,
    failed: (reason: string) => reason,
  },
};
