/** Selections over a server in memory, for tests. */
import assert from 'node:assert/strict';
import { clusterFamily, namespacedFamily, type Placement, type ResourceSelector } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { MetricsRegistry, namespaces, silentLogger, type Kind } from '@flotilla/kube';
import { InformerSet, ServedKinds } from '@flotilla/runtime';
import { settle, type TestServer, type WrapTransport } from '@flotilla/testkit';
import { PlaceableApis } from './placeable-apis.ts';
import { PlaceableNamespaces } from './placeable-namespaces.ts';
import { PlacementSelections } from './placement-selections.ts';
import { isSelected, type Selection } from './selection.ts';

export const boats: Kind = { group: 'sea.example.com', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true };

export const boatDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    names: { kind: 'Boat', listKind: 'BoatList', plural: 'boats', singular: 'boat' },
    scope: 'Namespaced',
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
};

export const ofNamespace = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  selectionScope: 'NamespaceWithResources',
} as const;
export const ofConfigMap = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  selectionScope: 'NamespaceWithResources',
} as const;

/** A client that lists and watches, as over a network. */
export function withoutViews(server: TestServer, wrap: WrapTransport = (same) => same): Client {
  return server.connect({ wrap: ({ send, close }) => wrap({ send, close }) });
}

export class SelectionsFixture {
  readonly server: TestServer;
  readonly selections: PlacementSelections;
  readonly informers: InformerSet;
  readonly woken: string[] = [];
  readonly #served: ServedKinds;

  constructor(server: TestServer, client: Client) {
    this.server = server;
    const { clock, turns } = server;
    const logger = silentLogger;
    this.informers = new InformerSet({ client, clock, turns, random: () => 0.5, logger });
    this.#served = new ServedKinds({ client, clock, informers: this.informers });
    this.selections = new PlacementSelections({
      served: this.#served,
      informers: this.informers,
      rules: { apis: new PlaceableApis(), namespaces: new PlaceableNamespaces(), runsWorkloads: false },
      clock,
      turns,
      logger,
      metrics: new MetricsRegistry(),
    });
    for (const family of [clusterFamily, namespacedFamily]) {
      this.selections.source(family).subscribe(({ namespace = '', name }) => this.woken.push(`${namespace}/${name}`));
    }
  }

  async stop(): Promise<void> {
    await this.stopSelections();
    await this.server.stop();
  }

  /** Leaves the server to others. */
  async stopSelections(): Promise<void> {
    await this.selections.stop();
    await this.#served.stop();
    assert.deepEqual(this.informers.names(), []);
  }

  async settle(): Promise<void> {
    const { isAtRest } = this.selections.source(clusterFamily);
    // Watches deliver in turns of the event loop, whatever the clock says.
    await this.server.turns.whenIdle();
    await settle(this.server.clock, () => isAtRest() && this.server.isAtRest());
  }

  /** The selection of a placement when nothing more happens. */
  async select(selectors: readonly ResourceSelector[], namespace?: string): Promise<Selection> {
    this.selections.current(placement(selectors, namespace));
    await this.settle();
    this.woken.length = 0;
    return this.selections.current(placement(selectors, namespace));
  }

  /** `Kind/name` of everything selected, or the problem. */
  async selected(selectors: readonly ResourceSelector[], namespace?: string): Promise<readonly string[] | string> {
    return shown(await this.select(selectors, namespace));
  }

  async namespace(name: string, labels: Record<string, string> = {}): Promise<void> {
    await this.server.create(namespaces, { metadata: { name, labels } });
  }
}

export function placement(resourceSelectors: readonly ResourceSelector[], namespace?: string): Placement {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: namespace === undefined ? 'ClusterResourcePlacement' : 'ResourcePlacement',
    metadata: { name: 'app', ...(namespace !== undefined && { namespace }) },
    spec: {
      resourceSelectors: [...resourceSelectors],
      revisionHistoryLimit: 10,
      statusReportingScope: 'ClusterScopeOnly',
    },
  };
}

export function shown(selection: Selection): readonly string[] | string {
  if (isSelected(selection)) return selection.identifiers.map(({ kind, name }) => `${kind}/${name}`);
  return 'problem' in selection ? selection.problem : `pending: ${selection.pending}`;
}
