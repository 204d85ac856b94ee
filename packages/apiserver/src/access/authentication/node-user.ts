import { nameIsDnsSubdomain } from '@flotilla/kube';

const nodePrefix = 'system:node:';

/** The name of a user's node; undefined for other users. */
export function nodeOf(user: string): string | undefined {
  if (!user.startsWith(nodePrefix)) return undefined;
  const name = user.slice(nodePrefix.length);
  return nameIsDnsSubdomain(name, false).length === 0 ? name : undefined;
}
