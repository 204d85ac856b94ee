/** Removes objects whose manifests are no longer in the Work. */
import type { WorkResourceIdentifier } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { isNotFound, type KubeObject, type OwnerReference } from '@flotilla/kube';
import { isOwnedBy, ownersOf, withoutOwner } from '../../merge/owners.ts';
import { objectRefOf } from '../manifest/identifier.ts';

export type Removal =
  | { readonly do: 'nothing' }
  | { readonly do: 'disown'; readonly object: KubeObject }
  | { readonly do: 'delete'; readonly uid: string };

/** Deletes objects that only the Work owns, and removes the owner reference from objects with other owners. */
export function decideRemoval(live: KubeObject, owner: OwnerReference): Removal {
  const { deletionTimestamp, uid = '' } = live.metadata;
  if (deletionTimestamp !== undefined || !isOwnedBy(live, owner)) return { do: 'nothing' };
  return ownersOf(live).length > 1 ? { do: 'disown', object: withoutOwner(live, owner) } : { do: 'delete', uid };
}

export async function removeLeftOver(
  member: Client,
  identifier: WorkResourceIdentifier,
  owner: OwnerReference,
): Promise<void> {
  const ref = objectRefOf(identifier);
  if (ref === undefined) return;
  const { kind, key } = ref;
  try {
    const removal = decideRemoval(await member.get(kind, key), owner);
    if (removal.do === 'disown') await member.update(kind, removal.object);
    if (removal.do === 'delete') await member.delete(kind, key, { uid: removal.uid });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
