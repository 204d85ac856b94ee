/** States of placements for tests of decisions: a small store, and a selection that the test changes. */
import {
  placementLabel,
  type Binding,
  type Placement,
  type PlacementFamily,
  type PlacementSpec,
  type PolicySnapshot,
  type ResourceSnapshot,
} from '@flotilla/api';
import { apiVersionOf, applyMergePatch, keyText, type Kind, type KubeObject } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import { ResourceHash } from '../family/go-hash.ts';
import type { PlacementState } from './placement-state.ts';
import type { SelectedResources, Selection } from './selection/selection.ts';

export const noDelay = { minSnapshotIntervalMs: 0, collectChangesMs: 0 };

/** A selection of ConfigMaps with this content. Sizes can be claimed, so that tests need no large objects. */
export function selectionOf(contents: readonly string[], sizes?: readonly number[]): SelectedResources {
  const resources = contents.map((text, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: `map-${index}` },
    data: { text },
  }));
  const hash = new ResourceHash();
  const real = resources.map((resource) => hash.add(resource));
  return {
    identifiers: resources.map(({ metadata }) => ({ version: 'v1', kind: 'ConfigMap', ...metadata })),
    sizes: sizes ?? real,
    envelopes: 0,
    hash: hash.hex(),
    contentAt: (index) => resources[index],
  };
}

/** What one placement has on a hub. Performs plans as the server would, as far as snapshots need it. */
export class PlacementModel {
  readonly family: PlacementFamily;
  placement: Placement;
  bindings: Binding[] = [];
  selection: Selection = selectionOf(['one']);
  readonly #objects = new Map<string, KubeObject>();
  #revision = 0;
  now = new Date(Date.UTC(2026, 0, 1));

  constructor(family: PlacementFamily, spec: Partial<PlacementSpec> = {}) {
    this.family = family;
    this.placement = {
      ...typeOf(family.placement),
      metadata: {
        name: 'web',
        ...this.#namespace,
        uid: 'uid-of-web',
        resourceVersion: '1',
        generation: 1,
        finalizers: ['kubernetes-fleet.io/crp-cleanup'],
      },
      // Controllers read placements that lack defaults, too.
      spec: { resourceSelectors: [], ...spec } as unknown as PlacementSpec,
    };
  }

  get #namespace(): { readonly namespace?: string } {
    return this.family.placement.namespaced ? { namespace: 'shop' } : {};
  }

  get state(): PlacementState {
    const { family, placement, bindings, selection } = this;
    return {
      family,
      placement,
      bindings,
      selection,
      policySnapshots: this.policySnapshots.map(metadataOnly),
      resourceSnapshots: this.resourceSnapshots.map(metadataOnly),
      policySnapshot: (name) => this.get(family.policySnapshot, name),
      resourceSnapshot: (name) => this.get(family.resourceSnapshot, name),
      isTaken: (kind, name) => this.get(kind, name) !== undefined,
    };
  }

  get policySnapshots(): PolicySnapshot[] {
    return this.#ofPlacement(this.family.policySnapshot);
  }

  get resourceSnapshots(): ResourceSnapshot[] {
    return this.#ofPlacement(this.family.resourceSnapshot);
  }

  /** Name and labels of each, in short: `web-0 latest`. */
  get summary(): string[] {
    return [...this.#objects.values()]
      .map(({ metadata: { name = '', labels = {} } }) => {
        const latest = labels['kubernetes-fleet.io/is-latest-snapshot'];
        return latest === undefined ? name : `${name} ${latest === 'true' ? 'latest' : 'old'}`;
      })
      .sort();
  }

  get<T extends KubeObject>(kind: Kind<T>, name: string): T | undefined {
    return this.#objects.get(this.#keyOf(kind, name)) as T | undefined;
  }

  put(kind: Kind, object: KubeObject): void {
    const { name = '', uid } = object.metadata;
    const resourceVersion = String(++this.#revision);
    const metadata = {
      creationTimestamp: this.now.toISOString(),
      ...object.metadata,
      uid: uid ?? `uid-${this.#revision}`,
      resourceVersion,
    };
    this.#objects.set(this.#keyOf(kind, name), { ...object, metadata });
  }

  remove(kind: Kind, name: string): void {
    this.#objects.delete(this.#keyOf(kind, name));
  }

  change(spec: Partial<PlacementSpec>): void {
    const { metadata } = this.placement;
    this.placement = {
      ...this.placement,
      metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
      spec: { ...this.placement.spec, ...spec },
    };
  }

  bind(cluster: string, resourceSnapshotName: string, schedulingPolicySnapshotName = 'web-0'): void {
    this.bindings.push({
      ...typeOf(this.family.binding),
      metadata: { name: `web-${cluster}`, ...this.#namespace, labels: { [placementLabel]: 'web' } },
      spec: {
        state: 'Bound',
        targetCluster: cluster,
        resourceSnapshotName,
        schedulingPolicySnapshotName,
        clusterDecision: { clusterName: cluster, selected: true, reason: '' },
      },
    });
  }

  /** Performs at most `count` writes of a plan, in order, as a crash would leave it. Returns how many it performed. */
  perform({ steps }: Pick<Plan, 'steps'>, count = Infinity): number {
    const writes = steps.flat().slice(0, count);
    for (const write of writes) this.#write(write);
    return writes.length;
  }

  #write(write: Write): void {
    if (write.kind === this.family.placement) return;
    const name = 'object' in write ? (write.object.metadata.name ?? '') : write.key.name;
    const before = this.get(write.kind, name);
    if (write.verb === 'create') {
      if (before !== undefined) throw new Error(`${name} already exists`);
      this.put(write.kind, structuredClone(write.object));
    } else if (write.verb === 'delete') {
      if (before?.metadata.uid === write.uid) this.remove(write.kind, name);
    } else if (write.verb === 'patch' && before !== undefined) {
      const { resourceVersion } = write.patch['metadata'] as { resourceVersion?: string };
      if (resourceVersion !== before.metadata.resourceVersion) throw new Error(`conflict on ${name}`);
      this.put(write.kind, applyMergePatch(before, write.patch) as KubeObject);
    }
  }

  #keyOf(kind: Kind, name: string): string {
    return `${kind.plural} ${keyText({ ...this.#namespace, name })}`;
  }

  #ofPlacement<T extends KubeObject>({ plural }: Kind<T>): T[] {
    const found = [...this.#objects].filter(([key, { metadata }]) => {
      return key.startsWith(`${plural} `) && metadata.labels?.[placementLabel] === 'web';
    });
    return found.map(([, object]) => object as T);
  }
}

function metadataOnly({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata };
}

function typeOf(kind: Kind): Pick<KubeObject, 'apiVersion' | 'kind'> {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind };
}
