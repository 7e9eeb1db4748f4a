// What the chat page says.

export const english = {
  placeholder: "Write to your assistant…",
};

export const chinese: typeof english = {
  placeholder: "给助手发消息…",
};
