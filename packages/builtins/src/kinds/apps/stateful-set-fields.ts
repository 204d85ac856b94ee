import type { JsonObject, KubeObject, LabelSelectorObject } from '@flotilla/kube';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import type { ClaimSpecFields } from '../core-pods/volume-fields.ts';

export interface StatefulSetFields extends KubeObject {
  spec: StatefulSetSpec;
  status?: Record<string, number | undefined>;
}

export interface StatefulSetSpec extends JsonObject {
  replicas?: number;
  selector?: LabelSelectorObject | null;
  template: PodTemplateFields;
  volumeClaimTemplates?: ClaimFields[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: StatefulSetStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  ordinals?: { start?: number };
}

export interface StatefulSetStrategy extends JsonObject {
  type?: string;
  rollingUpdate?: { partition?: number; maxUnavailable?: number | string };
}

interface ClaimFields extends KubeObject {
  spec: ClaimSpecFields;
  status?: { phase?: string };
}
