/** For tests: a server with a service account, and its TokenReviews. */
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { makeTokenKey } from './token-keys.ts';

export const accountsPath = '/api/v1/namespaces/default/serviceaccounts';
export const reviewsPath = '/apis/authentication.k8s.io/v1/tokenreviews';
export const issuer = 'https://kubernetes.default.svc';
export const testKey = makeTokenKey();

export async function serverWithAccount(): Promise<TestServer> {
  const server = await startTestServer({
    staticTokens: [{ token: 'given', user: { name: 'admin', uid: 'admin-uid', groups: ['system:masters'] } }],
    serviceAccountTokens: { issuers: [issuer], signingKey: testKey },
  });
  await made(server, accountsPath, { metadata: { name: 'bob' } });
  return server;
}

/** Creates an object and returns its uid. */
export async function made(server: TestServer, path: string, body: JsonObject): Promise<string> {
  const { status, text, body: object } = await server.request('POST', path, { body });
  if (status !== 201) throw new Error(text);
  return (object['metadata'] as { uid: string }).uid;
}

export async function tokenOf(server: TestServer, spec: JsonObject = {}): Promise<string> {
  const { status, text, body } = await server.request('POST', `${accountsPath}/bob/token`, { body: { spec } });
  if (status !== 201) throw new Error(text);
  return (body['status'] as { token: string }).token;
}

/** The user name of the token, or the error of the TokenReview. */
export async function reviewed(server: TestServer, token: string, audiences?: string[]): Promise<string> {
  const spec = { token, ...(audiences && { audiences }) };
  const { body } = await server.request('POST', reviewsPath, { body: { spec } });
  const { user, error } = body['status'] as { user: { username?: string }; error?: string };
  return error ?? user.username ?? '';
}
