/**
 * Names of bindings. KubeFleet ends them with a random text, so that two schedulers could bind a cluster twice. Ours are
 * computed: a create that was sent already is answered with AlreadyExists.
 */
import { createHash } from 'node:crypto';

/** The uid of the binding with this name, whatever its state; undefined if the name is free. */
export type HolderOf = (name: string) => string | undefined;

const maxPlacementLength = 26;
const maxClusterLength = 27;
const hashLength = 8;

/**
 * The name for a new binding: a DNS label, also for placements and clusters with dots in their names. While an evicted binding
 * of the cluster still terminates, its uid leads to the next name.
 */
export function bindingName(placement: BoundPlacement, cluster: string, holderOf: HolderOf): string {
  const start = `${labelPart(placement.name, maxPlacementLength)}-${labelPart(cluster, maxClusterLength)}`;
  const seed = [placement.uid, cluster];
  for (;;) {
    const name = `${start}-${shortHash(seed)}`;
    const holder = holderOf(name);
    if (holder === undefined) return name;
    seed.push(holder);
  }
}

interface BoundPlacement {
  readonly name: string;
  readonly uid: string;
}

function labelPart(name: string, maxLength: number): string {
  return name.slice(0, maxLength).replaceAll('.', '-');
}

/** The separator is in no uid and in no name. */
function shortHash(seed: readonly string[]): string {
  return createHash('sha256').update(seed.join('/')).digest('hex').slice(0, hashLength);
}
