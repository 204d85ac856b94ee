import { X509Certificate } from 'node:crypto';
import type { JsonObject } from '@flotilla/kube';
import { textOf } from '../resources/object-bytes.ts';
import type { ApiServer } from '../server/server.ts';
import { send, serverRequest } from '../own-requests/server-request.ts';

const configMaps = '/api/v1/namespaces/kube-system/configmaps';
const name = 'extension-apiserver-authentication';
const key = 'client-ca-file';
const query = 'fieldManager=kube-apiserver';

/**
 * Publishes the authorities of client certificates, so that other servers of the cluster accept the same clients:
 * kube-controller-manager, kube-scheduler, extension API servers. Previously published authorities stay until they expire.
 */
export async function publishClientAuthority(
  { handle, parts }: Pick<ApiServer, 'handle' | 'parts'>,
  clientAuthority: string,
): Promise<void> {
  const found = await handle(serverRequest('GET', `${configMaps}/${name}`));
  const stored =
    found.status === 200 && found.body instanceof Uint8Array
      ? (JSON.parse(textOf(found.body)) as JsonObject & { data?: Record<string, string> })
      : undefined;
  const published = stored?.data?.[key] ?? '';
  const bundle = combinedBundle([published, clientAuthority], parts.now());
  if (bundle === published) return;
  const data = { ...stored?.data, ...(bundle !== '' && { [key]: bundle }) };
  if (stored) {
    await send(handle, serverRequest('PUT', `${configMaps}/${name}`, { query, object: { ...stored, data } }));
    return;
  }
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data };
  await send(handle, serverRequest('POST', configMaps, { query, object }));
}

/** The certificates of all bundles in their order, each once, without those that have expired. */
export function combinedBundle(bundles: readonly string[], now: Date): string {
  const certificates = new Map<string, X509Certificate>();
  for (const [block] of bundles.join('\n').matchAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)) {
    const certificate = new X509Certificate(block);
    if (certificate.validToDate > now) certificates.set(certificate.fingerprint256, certificate);
  }
  return Iterator.from(certificates.values())
    .map((certificate) => certificate.toString())
    .toArray()
    .join('');
}
