import { clusterFamily, namespacedFamily, type Placement, type PlacementFamily } from '@flotilla/api';
import { isNotFound } from '@flotilla/kube';
import type { Session } from '../session/session.ts';
import { UserError } from '../user-error.ts';

export interface FoundPlacement {
  readonly family: PlacementFamily;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly placement: Placement;
}

/** A ResourcePlacement is meant if the user names a namespace, and a ClusterResourcePlacement otherwise. */
export function familyOf(namespace: string | undefined): PlacementFamily {
  return namespace === undefined ? clusterFamily : namespacedFamily;
}

/** Throws a UserError if there is none. */
export async function findPlacement(
  { hub, signal }: Session,
  name: string,
  namespace: string | undefined,
): Promise<FoundPlacement> {
  const family = familyOf(namespace);
  try {
    return { family, namespace, name, placement: await hub.get(family.placement, { namespace, name }, { signal }) };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const hint = namespace === undefined ? '; name the namespace of a ResourcePlacement with -n' : ` in ${namespace}`;
    throw new UserError(`there is no ${family.placement.kind} ${name}${hint}.`, { cause: error });
  }
}

/** `ClusterResourcePlacement web`, `ResourcePlacement shop/web`. */
export function placementText({ family, namespace, name }: Omit<FoundPlacement, 'placement'>): string {
  return `${family.placement.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
