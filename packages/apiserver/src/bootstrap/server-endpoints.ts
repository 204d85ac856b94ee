import { jsonEquals, type ApiHandler, type JsonObject } from '@flotilla/kube';
import { textOf } from '../resources/object-bytes.ts';
import { send, serverRequest } from '../own-requests/server-request.ts';

/** Writes the endpoints of the `kubernetes` Service. Not for a loopback address, which no other host can use. */
export async function ensureServerEndpoints(handle: ApiHandler, address: string, port: number): Promise<void> {
  if (isLoopback(address)) return;
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  await ensureCurrent(handle, '/api/v1/namespaces/default/endpoints', {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  await ensureCurrent(handle, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: address.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
}

/** Creates the object, or updates it: a server may restart with another address. */
async function ensureCurrent(handle: ApiHandler, path: string, object: JsonObject): Promise<void> {
  const query = 'fieldManager=kube-apiserver';
  const found = await handle(serverRequest('GET', `${path}/kubernetes`));
  if (found.status !== 200 || !(found.body instanceof Uint8Array)) {
    await send(handle, serverRequest('POST', path, { query, object }));
    return;
  }
  const stored = JSON.parse(textOf(found.body)) as JsonObject;
  const isCurrent = ['subsets', 'endpoints', 'ports'].every((field) =>
    jsonEquals(stored[field] ?? null, object[field] ?? null),
  );
  if (isCurrent) return;
  const metadata = { ...(stored['metadata'] as JsonObject), ...(object['metadata'] as JsonObject) };
  await send(handle, serverRequest('PUT', `${path}/kubernetes`, { query, object: { ...object, metadata } }));
}

function isLoopback(address: string): boolean {
  return address === '::1' || address === 'localhost' || address.startsWith('127.');
}
