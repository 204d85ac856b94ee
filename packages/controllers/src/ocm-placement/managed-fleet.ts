/**
 * The ManagedClusters by ManagedClusterSet, kept up to date with each change. A decision gets the same list as long as nothing in it
 * changes, so that the scheduler prepares it once for all Placements.
 */
import {
  clusterSetLabel,
  managedClusters,
  managedClusterSets,
  type ManagedCluster,
  type ManagedClusterSet,
} from '@flotilla/api';
import { compareBytes, jsonEquals, type KubeObject } from '@flotilla/kube';
import { ClusterSet } from '@flotilla/ocm';
import type { Cache, Indexes } from '@flotilla/runtime';

type Cluster = Readonly<ManagedCluster>;

const indexName = 'all';

/** For `indexes` of both kinds: counts them. */
export const allObjects: Indexes = { [indexName]: () => [''] };

/** A set with its clusters. */
interface KnownSet {
  readonly object: Readonly<ManagedClusterSet>;
  readonly set: ClusterSet;
  readonly members: Map<string, Cluster>;
}

export class ManagedFleet {
  readonly #clusters = new Map<string, Cluster>();
  readonly #sets = new Map<string, KnownSet>();
  /** Those whose clusters do not name them. A change of a cluster is matched with each of them. */
  readonly #selecting = new Map<string, KnownSet>();
  /** Unions of sets, by their names. */
  readonly #lists = new Map<string, readonly Cluster[]>();

  /** Call for every change of a ManagedCluster, in order. */
  clusterChanged(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const { name = '' } = (now ?? old)?.metadata ?? {};
    const before = this.#clusters.get(name);
    if (now === before) return;
    this.#lists.clear();
    if (before !== undefined) for (const set of this.#setsOf(before)) set.members.delete(name);
    if (now === undefined) {
      this.#clusters.delete(name);
      return;
    }
    const cluster = now as Cluster;
    this.#clusters.set(name, cluster);
    if (!isLeaving(cluster)) for (const set of this.#setsOf(cluster)) set.members.set(name, cluster);
  }

  /** Call for every change of a ManagedClusterSet, in order. */
  setChanged(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const { name = '' } = (now ?? old)?.metadata ?? {};
    const before = this.#sets.get(name);
    // A change of the status moves no cluster.
    if (now === before?.object || (now && before && hasSameSpec(now, before.object))) return;
    this.#lists.clear();
    this.#sets.delete(name);
    this.#selecting.delete(name);
    if (now !== undefined) this.#addSet(now as Readonly<ManagedClusterSet>);
  }

  /** How many clusters the set has. */
  sizeOf(name: string): number {
    return this.#sets.get(name)?.members.size ?? 0;
  }

  hasSet(name: string): boolean {
    return this.#sets.has(name);
  }

  /** Names of the sets that the cluster belongs to. */
  setsOf(cluster: Cluster | undefined): string[] {
    return cluster === undefined || isLeaving(cluster) ? [] : this.#setsOf(cluster).map(({ set }) => set.name);
  }

  /** The clusters of these sets, each once. */
  clustersOf(names: readonly string[]): readonly Cluster[] {
    const key = names.join('/');
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const found = new Map(names.flatMap((name) => [...(this.#sets.get(name)?.members ?? [])]));
    const list = [...found].sort(([a], [b]) => compareBytes(a, b)).map(([, cluster]) => cluster);
    if (this.#lists.size >= maxLists) this.#lists.clear();
    this.#lists.set(key, list);
    return list;
  }

  /** An informer that had to start anew reports what exists, and not what has gone. */
  check(cache: Cache): void {
    const isComplete =
      this.#clusters.size === cache.count(managedClusters, indexName, '') &&
      this.#sets.size === cache.count(managedClusterSets, indexName, '');
    if (isComplete) return;
    for (const map of [this.#clusters, this.#sets, this.#selecting, this.#lists]) map.clear();
    for (const set of cache.list(managedClusterSets)) this.setChanged(set, undefined);
    for (const cluster of cache.list(managedClusters)) this.clusterChanged(cluster, undefined);
  }

  #addSet(object: Readonly<ManagedClusterSet>): void {
    const set = new ClusterSet(object);
    const members = new Map<string, Cluster>();
    for (const [name, cluster] of this.#clusters) {
      if (!isLeaving(cluster) && set.has(cluster)) members.set(name, cluster);
    }
    const known = { object, set, members };
    this.#sets.set(set.name, known);
    if (!set.isExclusive) this.#selecting.set(set.name, known);
  }

  #setsOf(cluster: Cluster): KnownSet[] {
    const { labels = {} } = cluster.metadata;
    const exclusive = this.#sets.get(Object.hasOwn(labels, clusterSetLabel) ? (labels[clusterSetLabel] ?? '') : '');
    const found = exclusive?.set.isExclusive ? [exclusive] : [];
    for (const known of this.#selecting.values()) if (known.set.has(cluster)) found.push(known);
    return found;
  }
}

function hasSameSpec(now: Readonly<KubeObject>, before: Readonly<KubeObject>): boolean {
  return jsonEquals(now['spec'] ?? null, before['spec'] ?? null);
}

/** Namespaces are bound to the same few sets, as a rule. */
const maxLists = 1000;

/** A cluster that is being deleted belongs to no set. */
function isLeaving({ metadata }: Cluster): boolean {
  return metadata.deletionTimestamp !== undefined;
}
