// The conversations.
export function ChatPage() {
  return null;
}
