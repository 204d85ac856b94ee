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

export interface VolumeClaim extends KubeObject {
  spec?: { volumeAttributesClassName?: string };
  status?: {
    currentVolumeAttributesClassName?: string;
    modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
  };
}

export interface PersistentVolume extends KubeObject {
  spec?: { volumeAttributesClassName?: string };
  status?: { phase?: string };
}

const core = { group: '', version: 'v1' } as const;
const devices = { group: 'resource.k8s.io', version: 'v1' } as const;

export const kinds = {
  namespace: namespaces,
  configMap: configMaps,
  secret: secrets,
  serviceAccount: serviceAccounts,
  pod: pods as Kind<Pod>,
  claim: {
    ...core,
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    namespaced: true,
  } as Kind<VolumeClaim>,
  volume: {
    ...core,
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    namespaced: false,
  } as Kind<PersistentVolume>,
  volumeAttributesClass: {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    namespaced: false,
  } as Kind,
  certificateRequest: {
    group: 'certificates.k8s.io',
    version: 'v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    namespaced: false,
  } as Kind,
  validatingAdmissionPolicy: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    namespaced: false,
  } as Kind,
  quota: { ...core, kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true } as Kind,
  deviceClass: { ...devices, kind: 'DeviceClass', plural: 'deviceclasses', namespaced: false } as Kind,
  deviceClaim: { ...devices, kind: 'ResourceClaim', plural: 'resourceclaims', namespaced: true } as Kind,
  event: events,
  clusterRole: clusterRoles,
};

/** In other namespaces creates are forbidden. */
export function isActive({ status }: Readonly<Namespace>): boolean {
  return status?.phase === 'Active';
}
