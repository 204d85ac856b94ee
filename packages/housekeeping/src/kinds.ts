/** The built-in kinds that housekeeping looks after, with the fields that it reads. */
import type { JsonObject, Kind, KubeObject, LabelSelectorObject } from '@flotilla/kube';

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: NamespaceCondition[] };
}

export interface NamespaceCondition extends JsonObject {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export interface Secret extends KubeObject {
  type?: string;
  /** In base64. */
  data?: Record<string, string>;
}

export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
}

export interface ClusterRole extends KubeObject {
  rules?: JsonObject[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] };
}

export interface Pod extends KubeObject {
  spec?: { nodeName?: string; volumes?: PodVolume[]; terminationGracePeriodSeconds?: number | bigint };
  status?: { phase?: string };
}

export interface PodVolume extends JsonObject {
  name: string;
  persistentVolumeClaim?: { claimName: string };
  ephemeral?: JsonObject;
}

export interface PersistentVolume extends KubeObject {
  status?: { phase?: string };
}

const core = { group: '', version: 'v1' } as const;

export const kinds = {
  namespace: { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false } as Kind<Namespace>,
  configMap: { ...core, kind: 'ConfigMap', plural: 'configmaps', namespaced: true } as Kind<ConfigMap>,
  secret: { ...core, kind: 'Secret', plural: 'secrets', namespaced: true } as Kind<Secret>,
  serviceAccount: {
    ...core,
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    namespaced: true,
  } as Kind<ServiceAccount>,
  pod: { ...core, kind: 'Pod', plural: 'pods', namespaced: true } as Kind<Pod>,
  claim: { ...core, kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', namespaced: true } as Kind,
  volume: {
    ...core,
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    namespaced: false,
  } as Kind<PersistentVolume>,
  event: { ...core, kind: 'Event', plural: 'events', namespaced: true } as Kind,
  clusterRole: {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
  } as Kind<ClusterRole>,
};

/** Namespaces that live: in others nothing is made any more. */
export function isActive({ status }: Readonly<Namespace>): boolean {
  return status?.phase === 'Active';
}
