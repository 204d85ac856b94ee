import {
  apiErrors,
  apiVersionOf,
  fieldPath,
  invalid,
  labelSelectorFrom,
  labelSelectorFromLabels,
} from '@flotilla/kube';
import type { GroupVersionKind, KubeObject, LabelSelectorObject } from '@flotilla/kube';
import type { ScaleView } from './resource.ts';

interface Workload extends KubeObject {
  spec?: { replicas?: number; selector?: LabelSelectorObject | Record<string, string> };
  status?: { replicas?: number };
}

/** The scale subresource of the built-in workloads. */
export function workloadScale(gvk: GroupVersionKind): ScaleView {
  const path = fieldPath('spec', 'replicas');
  const apiVersion = apiVersionOf(gvk);
  return {
    replicas: ({ spec }: Workload) => spec?.replicas ?? 0,
    statusReplicas: ({ status }: Workload) => status?.replicas ?? 0,
    // ReplicationControllers have a plain map, the others a label selector.
    selector: ({ spec }: Workload) =>
      gvk.kind === 'ReplicationController'
        ? labelSelectorFromLabels(spec?.selector as Record<string, string> | undefined).toString()
        : labelSelectorFrom(spec?.selector).toString(),
    setReplicas(workload: Workload, replicas) {
      checkReplicas(workload, replicas);
      workload.spec = { ...workload.spec, replicas };
    },
    replicasPath: (version) => (version === apiVersion ? path : undefined),
    hasStrategicPatch: true,
  };
}

function checkReplicas({ metadata }: KubeObject, replicas: number): void {
  if (replicas >= 0) return;
  const negative = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw apiErrors.invalid({ kind: 'Scale', group: 'autoscaling' }, metadata.name ?? '', [negative]);
}
