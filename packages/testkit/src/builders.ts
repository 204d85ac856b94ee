/** Valid objects for tests. A test names only the fields that it is about. */
import type { ConfigMap, JsonObject, KubeObject, ObjectMeta } from '@flotilla/kube';

export function configMap(
  name: string,
  data: Readonly<Record<string, string>> = {},
  metadata: ObjectMeta = {},
): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...metadata }, data };
}

/** A simulated member makes its pods available, unless the image is `random-image-name`. */
export function deployment(
  name: string,
  { replicas = 1, image = 'web:1' }: { readonly replicas?: number; readonly image?: string } = {},
  metadata: ObjectMeta = {},
): KubeObject {
  const labels: JsonObject = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', ...metadata },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}
