/** Builders and queries for tests of several controllers. */
import { configMaps, type Kind, type KubeObject, type ObjectMeta, type OwnerReference } from '@flotilla/kube';
import type { TestServer } from '@flotilla/testkit';

export function createConfigMap(server: TestServer, name: string, metadata: ObjectMeta = {}): Promise<KubeObject> {
  return server.create(configMaps, { metadata: { name, namespace: 'default', ...metadata } });
}

/** Names of existing objects, except the certificate that every namespace has. */
export async function namesOf({ client }: TestServer, kind: Kind, namespace = 'default'): Promise<string[]> {
  const { items } = await client.list(kind, { namespace });
  return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
}

export function ownerOf(
  { apiVersion, kind, metadata }: KubeObject,
  more: Partial<OwnerReference> = {},
): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...more };
}
