import type { KubeObject } from '@flotilla/kube';

/**
 * An object after a write that named its version: what was sent, in the version that the server returned. Responses with whole objects
 * would have to be parsed.
 */
export function asWritten<T extends KubeObject>(sent: T, { metadata: { uid, resourceVersion } }: KubeObject): T {
  return {
    ...sent,
    metadata: {
      ...sent.metadata,
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}
