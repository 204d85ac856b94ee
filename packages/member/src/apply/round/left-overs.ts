/** What a Work brought to the member and no longer has. */
import type { WorkResourceIdentifier } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { isNotFound, type KubeObject, type OwnerReference } from '@flotilla/kube';
import { isOwnedBy, ownersOf, withoutOwner } from '../../merge/owners.ts';
import { placeOf } from '../manifest/identifier.ts';

export type Farewell =
  | { readonly do: 'nothing' }
  | { readonly do: 'disown'; readonly object: KubeObject }
  | { readonly do: 'delete'; readonly uid: string };

/** What is not ours is left alone; what others own too, is left to them. */
export function decideFarewell(live: KubeObject, owner: OwnerReference): Farewell {
  const { deletionTimestamp, uid = '' } = live.metadata;
  if (deletionTimestamp !== undefined || !isOwnedBy(live, owner)) return { do: 'nothing' };
  return ownersOf(live).length > 1 ? { do: 'disown', object: withoutOwner(live, owner) } : { do: 'delete', uid };
}

export async function removeLeftOver(
  member: Client,
  identifier: WorkResourceIdentifier,
  owner: OwnerReference,
): Promise<void> {
  const place = placeOf(identifier);
  if (place === undefined) return;
  const { kind, key } = place;
  await unlessGone(async () => {
    const farewell = decideFarewell(await member.get(kind, key), owner);
    if (farewell.do === 'disown') await member.update(kind, farewell.object);
    if (farewell.do === 'delete') await member.delete(kind, key, { uid: farewell.uid });
  });
}

/** What is gone already needs nothing more. */
async function unlessGone(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
