// A page that fails takes only itself down, and can be tried again.
import { Component, type ReactNode } from "react";

interface Props {
  children: ReactNode;
  fallback(error: Error, retry: () => void): ReactNode;
}

export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return this.props.fallback(error, () => this.setState({ error: undefined }));
  }
}
