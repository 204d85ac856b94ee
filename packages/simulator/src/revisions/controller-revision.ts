/** ControllerRevisions: the templates that a StatefulSet or a DaemonSet has had. */
import { jsonEquals, type JsonObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { kinds, type ControllerRevision, type PodTemplate } from '../kinds.ts';

/** The template that the revision returns to; undefined if its data is not such a patch. */
export function templateOf({ data }: Readonly<ControllerRevision>): PodTemplate | undefined {
  const { $patch: _patch, ...template } = data?.spec?.template ?? {};
  return data?.spec?.template === undefined ? undefined : template;
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
