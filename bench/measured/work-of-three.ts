import { memberNamespace, works, type Work } from '@flotilla/api';
import { apiVersionOf, type JsonObject } from '@flotilla/kube';

/** The Work of a small application: three objects in two waves, available as soon as they exist. */
export function workOfThree(member: string, name: string): Work {
  return {
    apiVersion: apiVersionOf(works),
    kind: works.kind,
    metadata: { name, namespace: memberNamespace(member) },
    spec: { workload: { manifests: [configMap(name), secret(name), service(name)] } },
  };
}

/** The drift figure changes this value. */
export const wantedSetting = 'as the Work says';

function configMap(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { app: name } },
    data: { setting: wantedSetting, 'app.conf': 'option = value\n'.repeat(40) },
  };
}

function secret(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default', labels: { app: name } },
    type: 'Opaque',
    data: { password: Buffer.from(`password of ${name}`).toString('base64') },
  };
}

/** Headless, because the cluster IP range has fewer addresses than there are Works. */
function service(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', labels: { app: name } },
    spec: { clusterIP: 'None', selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  };
}
