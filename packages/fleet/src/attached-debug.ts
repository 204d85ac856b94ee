/** Who may see the debug endpoint for Placements of a hub on another Kubernetes. */
import type { Client } from '@flotilla/client';
import { apiVersionOf, isJsonObject, type ApiRequest, type Kind } from '@flotilla/kube';
import { Refused, type ClientOfCaller } from './placement-debug-path.ts';

const selfSubjectAccessReviews: Kind = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};

/** A token has at most this many characters. */
const maxToken = 16_384;

/**
 * The caller's token goes to the server that issued it, which authenticates and authorizes the caller. So the hub needs no right
 * to review tokens, and reads nothing that the caller may not read.
 */
export function clientByToken(connect: (token: string) => Client): ClientOfCaller {
  return async (request) => {
    const token = tokenIn(request);
    if (token === undefined) throw new Refused(401, 'the request needs a bearer token for the API server of the hub');
    const client = connect(token);
    try {
      await requireRightToPath(client, request);
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  };
}

function tokenIn({ headers }: ApiRequest): string | undefined {
  const { authorization = '' } = headers;
  if (authorization.length > maxToken) return undefined;
  return /^bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
}

async function requireRightToPath(client: Client, { method, path }: ApiRequest): Promise<void> {
  const verb = method.toLowerCase();
  const { status } = await client.create(selfSubjectAccessReviews, {
    apiVersion: apiVersionOf(selfSubjectAccessReviews),
    kind: selfSubjectAccessReviews.kind,
    metadata: {},
    spec: { nonResourceAttributes: { path, verb } },
  });
  const isAllowed = isJsonObject(status) && status['allowed'] === true;
  if (!isAllowed) throw new Refused(403, `user does not have permission to ${verb} path ${path}`);
}
