import { nameIsDnsSubdomain } from '@flotilla/kube';

const nodePrefix = 'system:node:';

/** The node that a user is; undefined for users that are none. */
export function nodeOf(user: string): string | undefined {
  if (!user.startsWith(nodePrefix)) return undefined;
  const name = user.slice(nodePrefix.length);
  return nameIsDnsSubdomain(name, false).length === 0 ? name : undefined;
}
