import type { WorkloadBehaviour } from '../behaviour/workload-behaviour.ts';
import type { Node, Pod } from '../kinds.ts';
import type { Rejection } from './admission.ts';

/** A pod on its node. */
export interface BoundPod {
  readonly pod: Readonly<Pod>;
  readonly node: Readonly<Node>;
  /** Why the pod may not run here. */
  readonly rejection: Rejection | undefined;
  /** When the kubelet first saw the pod, in milliseconds since the epoch: times of the API have seconds only. */
  readonly seenAt: number;
  /** The address that the pod has or would get. */
  readonly address: string;
  readonly behaviour: WorkloadBehaviour;
}
