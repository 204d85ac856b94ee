import { memberNamespace, works, type Work } from '@flotilla/api';
import { apiVersionOf, type JsonObject } from '@flotilla/kube';

/** A Work as a small application has it: three objects that are available as soon as they are there, in two waves. */
export function workOfThree(member: string, name: string): Work {
  return {
    apiVersion: apiVersionOf(works),
    kind: works.kind,
    metadata: { name, namespace: memberNamespace(member) },
    spec: { workload: { manifests: [configMap(name), secret(name), service(name)] } },
  };
}

/** What a drift is made of. */
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

/** Without an address: a cluster has fewer of these than this makes. */
function service(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', labels: { app: name } },
    spec: { clusterIP: 'None', selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  };
}
