import { formatTime, type KubeObject } from '@flotilla/kube';
import { terminating, withCondition } from '@flotilla/schema';
import { checkStoragePreconditions } from './storage-preconditions.ts';
import type { DeletionBehavior } from './resource.ts';
import { definitionOf } from './definition-kind.ts';

/** Keeps a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** The first delete only sets the deletionTimestamp: the objects are deleted first. */
export const definitionDeletion: DeletionBehavior = {
  isHeld: ({ metadata }) => metadata.deletionTimestamp === undefined,
  checkPreconditions: (name, preconditions, stored) =>
    checkStoragePreconditions(
      { resource: 'customresourcedefinitions', group: 'apiextensions.k8s.io' },
      name,
      preconditions,
      stored,
    ),
  mark: (object, old, now) => {
    if (old.metadata.deletionTimestamp !== undefined) return;
    const { metadata } = object;
    const { finalizers = [] } = metadata;
    if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
    // Kubernetes sets no grace period on definitions and keeps their generation.
    delete metadata.deletionGracePeriodSeconds;
    if (old.metadata.generation !== undefined) metadata.generation = old.metadata.generation;
    setPending(object, now);
  },
};

function setPending(object: KubeObject, now: Date): void {
  const definition = definitionOf(object);
  const conditions = withCondition(definition.status?.conditions, terminating.pending, formatTime(now));
  definition.status = { ...definition.status, conditions };
}
