/** A revision in the annotation of old clients: the Deployment gets the template of that revision. */
import type { Plan, PlannedEvent } from '@flotilla/runtime';
import { copyJson } from '@flotilla/kube';
import { kinds, type Deployment, type PodTemplate, type ReplicaSet } from '../kinds.ts';
import {
  annotationOf,
  annotationsAfterRollback,
  parseRevision,
  revisionOf,
  rollbackAnnotation,
} from './annotations.ts';
import { hasSameTemplate, labelsWithoutHash } from './new-replica-set.ts';

/** The revision to return to; 0 is the one before the last. Undefined if none is requested. */
export function requestedRevision(deployment: Readonly<Deployment>): bigint | undefined {
  return parseRevision(annotationOf(deployment, rollbackAnnotation) ?? '');
}

export function decideRollback(
  deployment: Readonly<Deployment>,
  sets: readonly Readonly<ReplicaSet>[],
  requested: bigint,
): Plan {
  const revisions = sets.flatMap((set) => revisionOf(set) ?? []).toSorted((a, b) => Number(b - a));
  const revision = requested === 0n ? (revisions[1] ?? 0n) : requested;
  if (revision === 0n) return withoutRollback(deployment, notFound('Unable to find last revision.'));
  const target = sets.find((set) => revisionOf(set) === revision);
  if (target === undefined) return withoutRollback(deployment, notFound('Unable to find the revision to rollback to.'));
  const { name } = deployment.metadata;
  if (hasSameTemplate(deployment.spec?.template, target.spec?.template)) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    return withoutRollback(deployment, { type: 'Warning', reason: 'DeploymentRollbackTemplateUnchanged', message });
  }
  const rolledBack = {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: { ...annotationsAfterRollback(deployment, target) } },
    spec: { ...deployment.spec, template: templateOf(target) },
  };
  const message = `Rolled back deployment "${name}" to revision ${revision}`;
  return withoutRollback(rolledBack, { type: 'Normal', reason: 'DeploymentRollback', message });
}

function notFound(message: string): Omit<PlannedEvent, 'about'> {
  return { type: 'Warning', reason: 'DeploymentRollbackRevisionNotFound', message };
}

function templateOf({ spec }: Readonly<ReplicaSet>): PodTemplate {
  const template = copyJson(spec?.template ?? {}) as PodTemplate;
  return { ...template, metadata: { ...template.metadata, labels: labelsWithoutHash(template.metadata?.labels) } };
}

/** In any case, the request is done with. */
function withoutRollback(deployment: Readonly<Deployment>, event: Omit<PlannedEvent, 'about'>): Plan {
  const { [rollbackAnnotation]: _request, ...annotations } = deployment.metadata.annotations ?? {};
  const object = { ...deployment, metadata: { ...deployment.metadata, annotations } };
  return { steps: [[{ verb: 'update', kind: kinds.deployment, object, event: { ...event, about: deployment } }]] };
}
