import type { ConfigMap, Namespace } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { isActive, kinds } from '../kinds.ts';

export const configMapName = 'kube-root-ca.crt';

const descriptionKey = 'kubernetes.io/description';

const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal ' +
  'service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export interface RootCertificateState {
  readonly namespace: Readonly<Namespace>;
  readonly configMap: Readonly<ConfigMap> | undefined;
  /** PEM. */
  readonly certificate: string;
}

/** Every active namespace has a ConfigMap with the CA certificate of the API server. */
export function decideRootCertificate({ namespace, configMap, certificate }: RootCertificateState): Plan {
  if (!isActive(namespace)) return nothingToDo;
  const data = { 'ca.crt': certificate };
  if (!configMap) {
    const metadata = {
      name: configMapName,
      namespace: namespace.metadata.name ?? '',
      annotations: { [descriptionKey]: description },
    };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    return { steps: [[{ verb: 'create', kind: kinds.configMap, object }]] };
  }
  if (isUpToDate(configMap, certificate)) return nothingToDo;
  const annotations = { ...configMap.metadata.annotations, [descriptionKey]: description };
  const object = { ...configMap, metadata: { ...configMap.metadata, annotations }, data };
  return { steps: [[{ verb: 'update', kind: kinds.configMap, object }]] };
}

export function isUpToDate({ data = {}, metadata }: Readonly<ConfigMap>, certificate: string): boolean {
  const isDescribed = (metadata.annotations?.[descriptionKey] ?? '') !== '';
  return isDescribed && Object.keys(data).length === 1 && data['ca.crt'] === certificate;
}
