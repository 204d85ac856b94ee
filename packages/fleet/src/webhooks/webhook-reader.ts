import { discover, type Client } from '@flotilla/client';
import { apiVersionOf, ignoreNotFound, isJsonObject, type JsonObject, type Kind } from '@flotilla/kube';
import type { Found, Read } from '../admission/fleet-check.ts';

/** Reads from the server on every request: a guard must not decide by an outdated RoleBinding. */
export function webhookReader(client: Client): (read: Read) => Promise<Found> {
  const discovery = discover(client);
  return async (read) => {
    switch (read.read) {
      case 'object': {
        const object = await client.get(read.kind, read.key).catch(ignoreNotFound);
        return { objects: object ? [object] : [] };
      }
      case 'objects': {
        const { kind, namespace } = read;
        // The kind may not be installed.
        const list = await client.list(kind, namespace === '' ? {} : { namespace }).catch(ignoreNotFound);
        return { objects: list?.items ?? [] };
      }
      case 'right':
        return { objects: [], isAllowed: await hasRight(client, read) };
      case 'served kind':
        return { objects: [], kind: await discovery.find(read.gvk) };
    }
  };
}

export const subjectAccessReviews: Kind = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

async function hasRight(client: Client, { user, right }: Extract<Read, { read: 'right' }>): Promise<boolean> {
  const { name, uid, groups, extra } = user;
  const review = await client.create(subjectAccessReviews, {
    apiVersion: apiVersionOf(subjectAccessReviews),
    kind: subjectAccessReviews.kind,
    metadata: {},
    spec: {
      user: name,
      groups: [...groups],
      ...(uid !== undefined && { uid }),
      ...(extra && { extra: extra as unknown as JsonObject }),
      resourceAttributes: { ...right },
    },
  });
  const { status } = review;
  return isJsonObject(status) && status['allowed'] === true;
}
