/**
 * Which placements have a binding on a cluster. An index of bindings would find the bindings, and then parse each of them for
 * the name of its placement: too long for a cluster with a thousand.
 */
import type { Binding } from '@flotilla/api';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { placementOf } from '../family/placement-key.ts';

export class BoundClusters {
  /** Placements by the key of their binding, by cluster. */
  readonly #byCluster = new Map<string, Map<string, ObjectKey>>();

  /** Call for every change of a binding. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    if (old !== undefined) this.#remove(old as Binding);
    if (now !== undefined) this.#add(now as Binding);
  }

  /** May have one twice, or one whose binding has gone. */
  placementsOn(cluster: string): Iterable<ObjectKey> {
    return this.#byCluster.get(cluster)?.values() ?? [];
  }

  #add(binding: Readonly<Binding>): void {
    const placement = placementOf(binding);
    if (placement === undefined) return;
    const { targetCluster } = binding.spec;
    const placements = this.#byCluster.get(targetCluster) ?? new Map<string, ObjectKey>();
    this.#byCluster.set(targetCluster, placements.set(textOf(binding), placement));
  }

  #remove(binding: Readonly<Binding>): void {
    const { targetCluster } = binding.spec;
    const placements = this.#byCluster.get(targetCluster);
    placements?.delete(textOf(binding));
    if (placements?.size === 0) this.#byCluster.delete(targetCluster);
  }
}

function textOf({ metadata: { namespace, name = '' } }: Readonly<Binding>): string {
  return keyText({ namespace, name });
}
