import type { KubeObject } from '@flotilla/kube';
import type { PlannedEvent, Plan, Write } from '@flotilla/runtime';
import { networkKinds, type EndpointSlice } from '../network-kinds.ts';
import { generatedName } from '../pods/generated-name.ts';

const kind = networkKinds.endpointSlice;

export interface SliceChanges {
  /** Without names. */
  readonly toCreate: readonly EndpointSlice[];
  readonly toUpdate: readonly EndpointSlice[];
  readonly toDelete: readonly Readonly<EndpointSlice>[];
}

/**
 * The plan for slices of this owner. A new slice takes the place of one that is no longer needed, so that clients see one change
 * instead of two.
 */
export function slicePlan(
  owner: Readonly<KubeObject>,
  existing: readonly Readonly<EndpointSlice>[],
  { toCreate, toUpdate, toDelete }: SliceChanges,
  events: readonly PlannedEvent[] = [],
): Plan {
  const created = [...toCreate];
  const updates = toUpdate.map(update);
  const deletions: Write[] = [];
  for (const slice of toDelete) {
    const successor = isOwnedBy(slice, owner)
      ? created.findLastIndex(({ addressType }) => addressType === slice.addressType)
      : -1;
    const [replacement] = successor === -1 ? [] : created.splice(successor, 1);
    if (replacement === undefined) deletions.push(deletion(slice));
    else updates.push(update(inPlaceOf(slice, replacement)));
  }
  // The garbage collector deletes the slices of an owner that is being deleted.
  const isLeaving = owner.metadata.deletionTimestamp !== undefined;
  const creates = isLeaving ? [] : withNames(created, owner, existing).map(create);
  return { steps: [creates, updates, deletions], events };
}

function isOwnedBy({ metadata }: Readonly<EndpointSlice>, owner: Readonly<KubeObject>): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;
}

/** The new slice as an update of the old one. */
export function inPlaceOf({ metadata }: Readonly<EndpointSlice>, replacement: EndpointSlice): EndpointSlice {
  const { name = '', uid = '', resourceVersion = '' } = metadata;
  return { ...replacement, metadata: { ...replacement.metadata, name, uid, resourceVersion } };
}

/** New slices get names that none of the existing ones has. */
function withNames(
  slices: readonly EndpointSlice[],
  owner: Readonly<KubeObject>,
  existing: readonly Readonly<EndpointSlice>[],
): EndpointSlice[] {
  const used = new Set(existing.map(({ metadata }) => metadata.name));
  let ordinal = 0;
  return slices.map((slice) => {
    const nextName = (): string => generatedName(slice.metadata.generateName ?? '', owner, ordinal++);
    let name = nextName();
    while (used.has(name)) name = nextName();
    return { ...slice, metadata: { ...slice.metadata, name } };
  });
}

function create(object: EndpointSlice): Write {
  return { verb: 'create', kind, object };
}

function update(object: EndpointSlice): Write {
  return { verb: 'update', kind, object };
}

function deletion({ metadata }: Readonly<EndpointSlice>): Write {
  const { namespace, name = '', uid = '' } = metadata;
  return { verb: 'delete', kind, key: { namespace, name }, uid };
}
