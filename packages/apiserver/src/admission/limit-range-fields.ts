import type { ResourceList } from '@flotilla/builtins';
import type { JsonObject, KubeObject } from '@flotilla/kube';

/** The limits of a LimitRange. */
export interface LimitRangeFields extends KubeObject {
  spec?: { limits?: LimitFields[] | null };
}

export interface LimitFields extends JsonObject {
  type: string;
  max?: ResourceList;
  min?: ResourceList;
  default?: ResourceList;
  defaultRequest?: ResourceList;
  maxLimitRequestRatio?: ResourceList;
}

export interface ClaimFields extends KubeObject {
  spec: { resources?: { requests?: ResourceList } };
}
