/** The fields of pod volumes that the server reads, in wire form. */
import type { JsonObject, ObjectMeta } from '@flotilla/kube';
import type { FieldRefFields, ResourceFieldRefFields } from './container-fields.ts';
import type { Int64 } from './pod-fields.ts';

export interface VolumeFields extends JsonObject, VolumeSourceFields {
  name: string;
}

/** Exactly one of these is set. */
export interface VolumeSourceFields {
  hostPath?: { path: string; type?: string };
  emptyDir?: { medium?: string; sizeLimit?: string };
  gcePersistentDisk?: { pdName: string; partition?: number };
  awsElasticBlockStore?: { volumeID: string; partition?: number };
  gitRepo?: { repository: string; directory?: string };
  secret?: SecretVolumeFields;
  nfs?: { server: string; path: string };
  iscsi?: IscsiVolumeFields;
  glusterfs?: { endpoints: string; path: string };
  persistentVolumeClaim?: { claimName: string };
  rbd?: { monitors?: string[]; image: string; pool?: string; user?: string; keyring?: string };
  flexVolume?: { driver: string; options?: Record<string, string> };
  cinder?: { volumeID: string; secretRef?: { name?: string } };
  cephfs?: { monitors?: string[] };
  flocker?: { datasetName?: string; datasetUUID?: string };
  downwardAPI?: DownwardApiFields;
  fc?: { targetWWNs?: string[]; lun?: number; wwids?: string[] };
  azureFile?: { secretName: string; shareName: string };
  configMap?: ConfigMapVolumeFields;
  vsphereVolume?: { volumePath: string };
  quobyte?: { registry: string; volume: string; tenant?: string };
  azureDisk?: AzureDiskFields;
  photonPersistentDisk?: { pdID: string };
  projected?: ProjectedVolumeFields;
  portworxVolume?: { volumeID: string };
  scaleIO?: { gateway: string; system: string; volumeName?: string; storageMode?: string; fsType?: string };
  storageos?: { volumeName?: string; volumeNamespace?: string; secretRef?: { name?: string } };
  csi?: { driver: string; nodePublishSecretRef?: { name?: string } };
  ephemeral?: { volumeClaimTemplate?: ClaimTemplateFields };
  image?: { reference?: string; pullPolicy?: string };
}

export interface KeyToPathFields extends JsonObject {
  key: string;
  path: string;
  mode?: number;
}

export interface SecretVolumeFields extends JsonObject {
  secretName?: string;
  items?: KeyToPathFields[];
  defaultMode?: number;
}

export interface ConfigMapVolumeFields extends JsonObject {
  name?: string;
  items?: KeyToPathFields[];
  defaultMode?: number;
}

export interface IscsiVolumeFields extends JsonObject {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: { name?: string };
  initiatorName?: string;
}

export interface DownwardApiFileFields extends JsonObject {
  path: string;
  fieldRef?: FieldRefFields;
  resourceFieldRef?: ResourceFieldRefFields;
  mode?: number;
}

export interface DownwardApiFields extends JsonObject {
  items?: DownwardApiFileFields[];
  defaultMode?: number;
}

export interface AzureDiskFields extends JsonObject {
  diskName: string;
  diskURI: string;
  cachingMode?: string;
  fsType?: string;
  readOnly?: boolean;
  kind?: string;
}

export interface ProjectionFields extends JsonObject {
  secret?: { name?: string; items?: KeyToPathFields[] };
  downwardAPI?: { items?: DownwardApiFileFields[] };
  configMap?: { name?: string; items?: KeyToPathFields[] };
  serviceAccountToken?: { audience?: string; expirationSeconds?: Int64; path: string };
  clusterTrustBundle?: JsonObject;
  podCertificate?: JsonObject;
}

export interface ProjectedVolumeFields extends JsonObject {
  sources?: ProjectionFields[] | null;
  defaultMode?: number;
}

export interface ClaimSpecFields extends JsonObject {
  accessModes?: string[];
  selector?: JsonObject;
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: { apiGroup?: string; kind: string; name: string };
  dataSourceRef?: { apiGroup?: string; kind: string; name: string; namespace?: string };
  volumeAttributesClassName?: string;
}

export interface ClaimTemplateFields extends JsonObject {
  metadata?: ObjectMeta;
  spec: ClaimSpecFields;
}
