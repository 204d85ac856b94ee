import { jsonEquals, keyText, type ObjectKey } from '@flotilla/kube';
import type { Node, Pod } from '../kinds.ts';
import { isFinished } from '../pods/pod-state.ts';
import { claimNamesOf } from '../volume-claims/pod-claims.ts';
import { demandOf, type Demand } from './demand.ts';
import { repels } from './pod-affinity.ts';
import { loadedNode, NodeLoad, type LoadedNode } from './node-load.ts';

interface Placed {
  readonly uid: string;
  readonly node: string;
  readonly generation: number;
  readonly demand: Demand;
  readonly key: ObjectKey;
}

interface Unschedulable {
  readonly key: ObjectKey;
  /** Whether a pod that gets a node can help. */
  readonly dependsOnPods: boolean;
  readonly hasClaims: boolean;
}

/**
 * What the scheduler knows of its cluster, kept up to date by the changes of nodes and pods, so that a decision reads no pods that have
 * a node already.
 */
export class SchedulerState {
  readonly #nodes = new Map<string, LoadedNode>();
  readonly #loads = new Map<string, NodeLoad>();
  readonly #placed = new Map<string, Placed>();
  /** Pods on nodes that keep others away: few. */
  readonly #repelling = new Map<string, Placed>();
  /** Pods to try now, in the order of their arrival. */
  readonly #active = new Map<string, ObjectKey>();
  /** Pods that no node fitted; they are tried again when that can have changed. */
  readonly #unschedulable = new Map<string, Unschedulable>();

  nodes(): readonly LoadedNode[] {
    return [...this.#nodes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The keys of pods that keep others away, and their nodes. */
  repelling(): Iterable<{ readonly key: ObjectKey; readonly node: string }> {
    return this.#repelling.values();
  }

  activePods(): IteratorObject<ObjectKey> {
    return this.#active.values();
  }

  get hasActive(): boolean {
    return this.#active.size > 0;
  }

  nodeChanged(now: Readonly<Node> | undefined, old: Readonly<Node> | undefined): void {
    const { name = '' } = (now ?? old)?.metadata ?? {};
    if (now === undefined) this.#nodes.delete(name);
    else this.#nodes.set(name, loadedNode(now, this.#loadOf(name)));
    this.retry();
  }

  podChanged(now: Readonly<Pod> | undefined, old: Readonly<Pod> | undefined): void {
    const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
    const key: ObjectKey = { namespace, name };
    const text = keyText(key);
    this.#updateLoad(text, key, now);
    if (now === undefined || !isPending(now)) this.#forget(text);
    else if (old === undefined || !isSameToScheduler(now, old)) {
      this.#unschedulable.delete(text);
      this.#active.set(text, key);
    }
  }

  /** No node fits. */
  setUnschedulable(pod: Readonly<Pod>): void {
    const { namespace, name = '' } = pod.metadata;
    const { spec } = pod;
    const key = { namespace, name };
    const dependsOnPods = (spec?.affinity?.podAffinity ?? spec?.topologySpreadConstraints) !== undefined;
    const hasClaims = claimNamesOf(pod).length > 0;
    this.#active.delete(keyText(key));
    this.#unschedulable.set(keyText(key), { key, dependsOnPods, hasClaims });
  }

  /** Tries the pod again. */
  retryPod({ metadata: { namespace, name = '' } }: Readonly<Pod>): void {
    const key = { namespace, name };
    if (this.#unschedulable.delete(keyText(key))) this.#active.set(keyText(key), key);
  }

  /** Tries again what did not fit, after something left. */
  retry(): void {
    for (const [text, { key }] of this.#unschedulable) this.#active.set(text, key);
    this.#unschedulable.clear();
  }

  /** Tries again what waits for its volumes. */
  retryClaims(): void {
    this.#retryWhere(({ hasClaims }) => hasClaims);
  }

  #retryWhere(isConcerned: (pod: Unschedulable) => boolean): void {
    for (const [text, pod] of this.#unschedulable) {
      if (!isConcerned(pod)) continue;
      this.#active.set(text, pod.key);
      this.#unschedulable.delete(text);
    }
  }

  #forget(text: string): void {
    this.#active.delete(text);
    this.#unschedulable.delete(text);
  }

  #updateLoad(text: string, key: ObjectKey, now: Readonly<Pod> | undefined): void {
    const before = this.#placed.get(text);
    const node = now !== undefined && !isFinished(now) ? (now.spec?.nodeName ?? '') : '';
    const { uid = '', generation = 0 } = now?.metadata ?? {};
    if (before?.uid === uid && before.node === node && before.generation === generation) return;
    if (before !== undefined) {
      this.#loadOf(before.node).remove(before.demand);
      this.#placed.delete(text);
      this.#repelling.delete(text);
      this.retry();
    }
    if (now === undefined || node === '') return;
    const demand = demandOf(now);
    const placed: Placed = { uid, node, generation, demand, key };
    this.#placed.set(text, placed);
    if (repels(now)) this.#repelling.set(text, placed);
    this.#loadOf(node).add(demand);
    this.#retryWhere(({ dependsOnPods }) => dependsOnPods);
  }

  #loadOf(node: string): NodeLoad {
    const known = this.#loads.get(node);
    if (known !== undefined) return known;
    const load = new NodeLoad();
    this.#loads.set(node, load);
    return load;
  }
}

/** Whether this scheduler has to find a node for the pod. */
export function isPending(pod: Readonly<Pod>): boolean {
  const { nodeName = '', schedulerName = 'default-scheduler', schedulingGates = [] } = pod.spec ?? {};
  const isGated = schedulingGates.length > 0;
  const isLeaving = pod.metadata.deletionTimestamp !== undefined;
  return nodeName === '' && schedulerName === 'default-scheduler' && !isGated && !isLeaving && !isFinished(pod);
}

/** Labels and generation; the status is ours. */
function isSameToScheduler(now: Readonly<Pod>, old: Readonly<Pod>): boolean {
  return (
    isPending(old) &&
    now.metadata.uid === old.metadata.uid &&
    now.metadata.generation === old.metadata.generation &&
    jsonEquals(now.metadata.labels ?? {}, old.metadata.labels ?? {})
  );
}
