/** The Works that a group of resource snapshots makes, before overrides. They are the same for every cluster. */
import { numberOfSnapshotsAnnotation, resourceIndexLabel, type ResourceSnapshot } from '@flotilla/api';
import { compareBytes, goJson, isJsonObject, keyText, type JsonObject } from '@flotilla/kube';
import { envelopeOf, type Envelope } from '../family/envelope.ts';
import { indexIn } from '../family/latest-snapshot.ts';
import { placementOf } from '../family/placement-key.ts';
import { manifestsIn, type EnvelopeRules } from './envelope-manifests.ts';
import { envelopeWorkName, workNameOf, type EnvelopeIdentity } from './work-names.ts';

export interface RenderedWork {
  readonly name: string;
  /** The index of its snapshot, as in the label. */
  readonly index: string;
  readonly manifests: readonly JsonObject[];
  /** Set if the manifests come from an envelope. */
  readonly envelope?: EnvelopeIdentity;
}

/** A problem is for users: it ends in a condition of the binding. */
export type RenderedGroup =
  | { readonly works: readonly RenderedWork[]; readonly problem?: undefined }
  | {
      readonly problem: string;
      readonly step: SyncStep;
      /** When the first snapshot was made, if others of the group are still missing. */
      readonly incompleteSince?: number;
    };

/** The condition that tells users about a problem. */
export type SyncStep = 'Overridden' | 'WorkSynchronized';

/** The Works of one snapshot: one for each envelope, and one for all other manifests, even if there are none. */
export function renderSnapshot(snapshot: Readonly<ResourceSnapshot>, rules: EnvelopeRules): RenderedGroup {
  const key = keyText({ namespace: snapshot.metadata.namespace, name: snapshot.metadata.name ?? '' });
  const prefix = workNameOf(snapshot);
  const index = snapshot.metadata.labels?.[resourceIndexLabel] ?? '';
  if (prefix === undefined) {
    const what = placementOf(snapshot) === undefined ? 'CRP tracking label' : 'sub-index annotation';
    return { step: 'Overridden', problem: `resource snapshot ${key} has an invalid ${what}` };
  }
  const plain: JsonObject[] = [];
  const works: RenderedWork[] = [];
  for (const resource of snapshot.spec.selectedResources) {
    if (!isJsonObject(resource)) {
      return { step: 'WorkSynchronized', problem: `resource snapshot ${key} selects something that is not an object` };
    }
    const envelope = envelopeOf(resource);
    if (envelope === undefined) {
      plain.push(resource);
      continue;
    }
    const manifests = manifestsIn(envelope, rules);
    if (manifests.problem !== undefined) return { step: 'WorkSynchronized', problem: manifests.problem };
    works.push({ ...envelopeWork(prefix, index, envelope), manifests: inOrder(manifests.value) });
  }
  return { works: [{ name: prefix, index, manifests: plain }, ...works] };
}

function envelopeWork(
  prefix: string,
  index: string,
  { type, namespace, name }: Envelope,
): Omit<RenderedWork, 'manifests'> {
  const envelope = { type, namespace, name };
  return { name: envelopeWorkName(prefix, envelope), index, envelope };
}

/** By their JSON, descending. With another order, taking over from KubeFleet would update every such Work. */
function inOrder(manifests: readonly JsonObject[]): JsonObject[] {
  return manifests
    .map((manifest) => ({ manifest, text: goJson(manifest) }))
    .sort((a, b) => compareBytes(b.text, a.text))
    .map(({ manifest }) => manifest);
}

export interface CompleteGroup {
  readonly snapshots: readonly Readonly<ResourceSnapshot>[];
  readonly problem?: undefined;
}

/** The snapshots of a master's group in the order of their names, or why they cannot be used. */
export function completeGroup(
  master: Readonly<ResourceSnapshot>,
  groupMembers: () => readonly Readonly<ResourceSnapshot>[],
): CompleteGroup | Extract<RenderedGroup, { problem: string }> {
  const { name = '', annotations = {} } = master.metadata;
  const placement = keyText(placementOf(master) ?? { name: '' });
  const text = Object.hasOwn(annotations, numberOfSnapshotsAnnotation) ? annotations[numberOfSnapshotsAnnotation] : '';
  const count = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
  const about = `master resource snapshot ${name} for placement ${placement}`;
  if (count < 1) return { step: 'Overridden', problem: `${about} has an invalid snapshot count ${count}` };
  if (indexIn(master, resourceIndexLabel) === undefined) {
    return { step: 'Overridden', problem: `${about} has an invalid resource index` };
  }
  const snapshots = count === 1 ? [master] : groupMembers();
  if (snapshots.length === count) return { snapshots };
  return {
    step: 'Overridden',
    incompleteSince: Date.parse(master.metadata.creationTimestamp ?? ''),
    problem:
      'not all resource snapshot in the same index group are created: resource snapshots are still being created for ' +
      `the masterResourceSnapshot ${name}, total snapshot in the index group = ${count}, num Of existing snapshot in ` +
      `the group= ${snapshots.length}, placement = ${placement}`,
  };
}
