import type { Client } from './client.ts';

/** A token of a service account. */
export interface RequestedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Requests a token for a service account. The server may choose another lifetime. */
export async function requestToken(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  lifeSeconds: number,
  signal?: AbortSignal,
): Promise<RequestedToken> {
  const { body } = await client.request({
    method: 'POST',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: lifeSeconds } },
    ...(signal && { signal }),
  });
  const { status } = JSON.parse(Buffer.from(body).toString()) as TokenResponse;
  return { token: status.token, expiresAt: new Date(status.expirationTimestamp) };
}

interface TokenResponse {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}
