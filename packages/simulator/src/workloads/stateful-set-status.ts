import { revisionData, revisionHash } from '../hash/pod-template-hash.ts';
import type { PodTemplate, StatefulSet } from '../kinds.ts';
import { canRun } from './images.ts';
import { counts, type NextStatus } from '../status/next-status.ts';

/** Pods are replaced from the last to the first. One that does not start blocks all after it. */
export function statefulSetStatus({ metadata, spec = {}, status }: Readonly<StatefulSet>): NextStatus {
  const { name = '', generation = 0 } = metadata;
  const { replicas = 1, template, podManagementPolicy } = spec;
  const updateRevision = revisionName(name, template);
  const before = status?.currentRevision ?? updateRevision;
  const whole = { observedGeneration: generation, collisionCount: 0 };
  if (canRun(template)) {
    return {
      status: {
        ...whole,
        replicas,
        ...counts({ readyReplicas: replicas, currentReplicas: replicas, updatedReplicas: replicas }),
        currentRevision: updateRevision,
        updateRevision,
        availableReplicas: replicas,
      },
    };
  }
  const isFirst = before === updateRevision;
  const stuck = isFirst && podManagementPolicy === 'Parallel' ? replicas : Math.min(1, replicas);
  const old = isFirst ? 0 : Math.min(status?.availableReplicas ?? 0, replicas - stuck);
  return {
    status: {
      ...whole,
      replicas: old + stuck,
      ...counts({ readyReplicas: old, currentReplicas: isFirst ? stuck : old, updatedReplicas: stuck }),
      currentRevision: before,
      updateRevision,
      availableReplicas: old,
    },
  };
}

/** The name of a ControllerRevision of this template. The same template has the same name. */
export function revisionName(name: string, template: PodTemplate | undefined): string {
  return `${name}-${revisionHash(revisionData(template), 0)}`;
}
