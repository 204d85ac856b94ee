/** Kubernetes asks no more of a column's or a scale's path than where it begins; the rest shows when it is followed. */
export function dotPathProblem(path: string): string | undefined {
  return path.startsWith('.') ? undefined : 'must be a simple json path starting with .';
}
