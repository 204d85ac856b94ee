import { jsonEquals, type ApiHandler, type JsonObject } from '@flotilla/kube';
import { textOf } from '../resources/object-bytes.ts';
import { send, serverRequest } from '../own-requests/server-request.ts';

/** How the `kubernetes` Service finds the server. None may be told of a loopback address, which means somebody else to each. */
export async function ensureServerEndpoints(handle: ApiHandler, address: string, port: number): Promise<void> {
  if (isLoopback(address)) return;
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  await keep(handle, '/api/v1/namespaces/default/endpoints', {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  await keep(handle, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: address.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
}

/** Makes the object, or puts it right: a server may come back in another place. */
async function keep(handle: ApiHandler, path: string, object: JsonObject): Promise<void> {
  const query = 'fieldManager=kube-apiserver';
  const found = await handle(serverRequest('GET', `${path}/kubernetes`));
  if (found.status !== 200 || !(found.body instanceof Uint8Array)) {
    await send(handle, serverRequest('POST', path, { query, object }));
    return;
  }
  const stored = JSON.parse(textOf(found.body)) as JsonObject;
  const isRight = ['subsets', 'endpoints', 'ports'].every((field) =>
    jsonEquals(stored[field] ?? null, object[field] ?? null),
  );
  if (isRight) return;
  const metadata = { ...(stored['metadata'] as JsonObject), ...(object['metadata'] as JsonObject) };
  await send(handle, serverRequest('PUT', `${path}/kubernetes`, { query, object: { ...object, metadata } }));
}

function isLoopback(address: string): boolean {
  return address === '::1' || address === 'localhost' || address.startsWith('127.');
}
