import { copyJson, jsonEquals, type JsonObject } from '@flotilla/kube';
import { kinds, type Deployment, type PodTemplate, type ReplicaSet } from '../kinds.ts';
import { controllerReference } from '../ownership/controller-of.ts';
import { newSetAnnotations, nextRevision, sizeAnnotations } from './annotations.ts';

const hashLabel = 'pod-template-hash';
const maxNameLength = 253;

/** The oldest of the sets with the Deployment's template. `sets` begin with the oldest. */
export function findNewSet(
  { spec }: Readonly<Deployment>,
  sets: readonly Readonly<ReplicaSet>[],
): Readonly<ReplicaSet> | undefined {
  return sets.find((set) => hasSameTemplate(set.spec?.template, spec?.template));
}

/** The hash is a label of the set's template only, and is ignored. */
export function hasSameTemplate(a: Readonly<PodTemplate> = {}, b: Readonly<PodTemplate> = {}): boolean {
  return jsonEquals(a.spec ?? {}, b.spec ?? {}) && jsonEquals(metadataWithoutHash(a), metadataWithoutHash(b));
}

function metadataWithoutHash({ metadata = {} }: Readonly<PodTemplate>): JsonObject {
  return { ...metadata, labels: labelsWithoutHash(metadata.labels) };
}

export function labelsWithoutHash(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { [hashLabel]: _hash, ...rest } = labels;
  return rest;
}

/** The name of the Deployment's set with this hash. Long names are cut. */
export function newSetName({ metadata: { name = '' } }: Readonly<Deployment>, hash: string): string {
  return `${name.slice(0, maxNameLength - 1 - hash.length)}-${hash}`;
}

export function newReplicaSet(
  deployment: Readonly<Deployment>,
  hash: string,
  replicas: number,
  oldSets: readonly Readonly<ReplicaSet>[],
): ReplicaSet {
  const { metadata, spec = {} } = deployment;
  const { template = {}, selector = {}, minReadySeconds } = spec;
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const annotations = newSetAnnotations(deployment, undefined, nextRevision(oldSets));
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: newSetName(deployment, hash),
      namespace: metadata.namespace ?? '',
      labels,
      annotations: { ...annotations, ...sizeAnnotations(deployment) },
      ownerReferences: [controllerReference(kinds.deployment, deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...(selector['matchLabels'] as JsonObject), [hashLabel]: hash } },
      template: { ...(copyJson(template) as PodTemplate), metadata: { ...template.metadata, labels: { ...labels } } },
    },
  };
}

/** The existing new set with the Deployment's annotations, its place in the history and minReadySeconds. Itself if nothing differs. */
export function syncedNewSet(
  deployment: Readonly<Deployment>,
  set: Readonly<ReplicaSet>,
  oldSets: readonly Readonly<ReplicaSet>[],
): Readonly<ReplicaSet> {
  const present = set.metadata.annotations ?? {};
  const annotations = newSetAnnotations(deployment, present, nextRevision(oldSets));
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const hasSameDelay = (set.spec?.minReadySeconds ?? 0) === minReadySeconds;
  if (hasSameDelay && jsonEquals(present, annotations)) return set;
  const metadata = { ...set.metadata, annotations: { ...annotations } };
  return hasSameDelay ? { ...set, metadata } : { ...set, metadata, spec: { ...set.spec, minReadySeconds } };
}
