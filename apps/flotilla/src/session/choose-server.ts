/** A server that a command may mean. */
export interface ServerCandidate {
  /** Absent: the files that kubectl reads. */
  readonly kubeconfig?: string;
  /** How it was found, for the user. */
  readonly source: string;
  /** The context to use if the user names none. Empty if the kubeconfig has no current one. */
  readonly currentContext: () => string | Promise<string>;
  readonly hasContext: (name: string) => boolean | Promise<boolean>;
}

/**
 * The first candidate that has the wanted context, or without one a current context. If none has it, the first one: its error says what
 * is missing.
 */
export async function chooseServer(
  candidates: readonly ServerCandidate[],
  context: string | undefined,
): Promise<ServerCandidate | undefined> {
  for (const candidate of candidates) {
    const isUsable =
      context === undefined ? (await candidate.currentContext()) !== '' : await candidate.hasContext(context);
    if (isUsable) return candidate;
  }
  return context === undefined ? undefined : candidates[0];
}
