/** The built-in kinds that housekeeping reconciles, with the fields that it reads. */
import {
  clusterRoles,
  configMaps,
  events,
  namespaces,
  pods,
  secrets,
  serviceAccounts,
  type JsonObject,
  type Kind,
  type KubeObject,
  type Namespace,
} from '@flotilla/kube';

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
  namespace: namespaces,
  configMap: configMaps,
  secret: secrets,
  serviceAccount: serviceAccounts,
  pod: pods as Kind<Pod>,
  claim: { ...core, kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', namespaced: true } as Kind,
  volume: {
    ...core,
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    namespaced: false,
  } as Kind<PersistentVolume>,
  event: events,
  clusterRole: clusterRoles,
};

/** In other namespaces creates are forbidden. */
export function isActive({ status }: Readonly<Namespace>): boolean {
  return status?.phase === 'Active';
}
