/** A selector that cannot be read; the message is Kubernetes'. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}
