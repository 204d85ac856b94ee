/** ControllerRevisions: the templates that a StatefulSet or a DaemonSet has had. */
import { jsonEquals, sortedCopy, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import type { Watched, Write } from '@flotilla/runtime';
import { kinds, type ControllerRevision, type DaemonSet, type PodTemplate, type StatefulSet } from '../kinds.ts';
import { concernsController, controllerOf, controllerReference } from '../ownership/controller-of.ts';

/** The template that the revision returns to; undefined if its data is not such a patch. */
export function templateOf({ data }: Readonly<ControllerRevision>): PodTemplate | undefined {
  const { $patch: _patch, ...template } = data?.spec?.template ?? {};
  return data?.spec?.template === undefined ? undefined : template;
}

export interface RevisionOfOwner {
  readonly kind: Kind;
  readonly owner: Readonly<KubeObject>;
  readonly name: string;
  /** Beside those of the template. */
  readonly labels: Readonly<Record<string, string>>;
  readonly data: JsonObject;
  readonly revision: number;
}

/** A revision to create. Clients compare its data byte for byte with what Go encodes, which has sorted keys. */
export function newRevision({ kind, owner, name, labels, data, revision }: RevisionOfOwner): ControllerRevision {
  const { namespace = '', annotations } = owner.metadata;
  const { spec } = owner as StatefulSet | DaemonSet;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace,
      labels: { ...spec?.template?.metadata?.labels, ...labels },
      ...(annotations && { annotations: { ...annotations } }),
      ownerReferences: [controllerReference(kind, owner)],
    },
    data: sortedCopy(data) as JsonObject,
    revision,
  };
}

export function hasData(revision: Readonly<ControllerRevision>, data: JsonObject): boolean {
  return jsonEquals(revision.data ?? null, data);
}

/** The oldest first. */
export function inRevisionOrder(revisions: readonly Readonly<ControllerRevision>[]): Readonly<ControllerRevision>[] {
  const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return revisions.toSorted(
    (a, b) =>
      revisionNumber(a) - revisionNumber(b) ||
      order(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
      order(a.metadata.name ?? '', b.metadata.name ?? ''),
  );
}

export function revisionNumber({ revision = 0 }: Readonly<ControllerRevision>): number {
  return Number(revision);
}

/** Makes the revision the newest. */
export function renumber(object: Readonly<ControllerRevision>, revision: number): Write {
  return { verb: 'update', kind: kinds.controllerRevision, object: { ...object, revision } };
}

export function deleteRevision({ metadata }: Readonly<ControllerRevision>): Write {
  const { namespace, name = '', uid = '' } = metadata;
  return { verb: 'delete', kind: kinds.controllerRevision, key: { namespace, name }, uid };
}

type Concerns = Watched['concerns'];

/**
 * For `concerns`: the owner of a revision that was changed or deleted, or those that could adopt it. Kubernetes takes no notice of a new
 * revision with an owner until the owner changes.
 */
export function concernsRevision(kind: Kind, adopters: Parameters<typeof concernsController>[1]): Concerns {
  const concerns = concernsController(kind, adopters);
  return (now, old, cache) => {
    const isNewOfOwner = old === undefined && now !== undefined && controllerOf(now) !== undefined;
    return isNewOfOwner ? [] : concerns(now, old, cache);
  };
}
