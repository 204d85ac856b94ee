import type { ApiResponse } from '@flotilla/kube';
import type { Call } from './context.ts';
import { scale } from './scale.ts';

type SpecialVerb = (call: Call) => ApiResponse | Promise<ApiResponse>;

/** Subresources (and the few resources) that are not a part of the stored object. The key: `resource.group/subresource`. */
export const specialSubresources: ReadonlyMap<string, SpecialVerb> = new Map<string, SpecialVerb>([
  ['deployments.apps/scale', scale],
  ['replicasets.apps/scale', scale],
  ['statefulsets.apps/scale', scale],
  ['replicationcontrollers./scale', scale],
]);
