import { semanticEqual } from '../semantic-equal.ts';
import type { PodFields } from './pod-fields.ts';
import { isSidecar } from './pod-validation/containers.ts';

type Update = (pod: PodFields, old: PodFields) => boolean;

/** Features of kubelets, in order of their names, and the updates that need them. */
const features: readonly (readonly [name: string, isNeededFor: Update])[] = [
  [
    'InPlacePodLevelResourcesVerticalScaling',
    ({ spec }, old) => !semanticEqual(spec.resources ?? {}, old.spec.resources ?? {}),
  ],
  [
    'InPlacePodVerticalScalingInitContainers',
    ({ spec }, old) =>
      (old.spec.initContainers ?? []).some(
        (container, at) =>
          !isSidecar(container) &&
          !semanticEqual(container.resources ?? {}, spec.initContainers?.[at]?.resources ?? {}),
      ),
  ],
];

/** Names of the features that a node must have to carry out the update of a pod. */
export function neededFeatures(pod: PodFields, old: PodFields): string[] {
  return features.filter(([, isNeededFor]) => isNeededFor(pod, old)).map(([name]) => name);
}
