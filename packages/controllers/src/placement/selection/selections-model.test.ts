import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ResourceSelector } from '@flotilla/api';
import { configMaps, customResourceDefinitions, ignoreNotFound, namespaces, secrets, type Kind } from '@flotilla/kube';
import { configMap, seededRandom, startTestServer } from '@flotilla/testkit';
import { isSelected, type Selection } from './selection.ts';
import {
  boatDefinition,
  boats,
  ofConfigMap,
  ofNamespace,
  placement,
  SelectionsFixture,
  shown,
  withoutViews,
} from './selections.testing.ts';

const names = ['sea', 'lake', 'pond'];
const byTier = { labelSelector: { matchLabels: { tier: 'web' } } };
const notDraft = { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['draft'] }] } };
const ofBoat: ResourceSelector = {
  group: boats.group,
  version: 'v1beta1',
  kind: 'Boat',
  selectionScope: 'NamespaceOnly',
};

/** One of each way to select. */
const selecting: readonly (readonly [selectors: readonly ResourceSelector[], namespace?: string])[] = [
  [[{ ...ofNamespace, name: 'sea' }]],
  [[{ ...ofNamespace, ...byTier }]],
  [[{ ...ofNamespace, ...notDraft, selectionScope: 'NamespaceOnly' }]],
  [
    [
      { ...ofNamespace, name: 'lake', selectionScope: 'NamespaceWithResourceSelectors' },
      { ...ofConfigMap, ...byTier },
    ],
  ],
  [
    [
      { ...ofConfigMap, name: 'a' },
      { ...ofBoat, name: 'b' },
    ],
    'sea',
  ],
  [[{ ...ofConfigMap, ...notDraft }, ofBoat], 'lake'],
];

const placements = selecting.map(([selectors, namespace], index) => {
  const one = placement(selectors, namespace);
  return { ...one, metadata: { ...one.metadata, name: `placement-${index}` } };
});

type Fixture = SelectionsFixture;

/** A random change: of an object, of a namespace, or of the definition of boats. */
async function change({ server: { client } }: Fixture, random: () => number): Promise<void> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const name = pick(['a', 'b']);
  const namespace = pick(names);
  const labels = pick([{}, { tier: 'web' }, { tier: 'draft' }]);
  const kind: Kind = pick([configMaps, configMaps, secrets, boats]);
  const object = {
    ...configMap(name, {}, { namespace, labels }),
    apiVersion: kind === boats ? 'sea.example.com/v1' : 'v1',
    kind: kind.kind,
    data: {},
  };
  switch (pick(['create', 'create', 'delete', 'label', 'namespace', 'definition'])) {
    case 'create':
      return void (await client.create(kind, object).catch(() => {}));
    case 'delete':
      return void (await client.delete(kind, { namespace, name }).catch(() => {}));
    case 'label':
      return void (await client
        .patch(kind, { namespace, name }, { type: 'merge', value: { metadata: { labels: { tier: null, ...labels } } } })
        .catch(() => {}));
    case 'namespace':
      return void (await client
        .patch(
          namespaces,
          { name: namespace },
          { type: 'merge', value: { metadata: { labels: { tier: null, ...labels } } } },
        )
        .catch(ignoreNotFound));
    default:
      if (random() < 0.5)
        return void (await client
          .delete(customResourceDefinitions, { name: boatDefinition.metadata.name })
          .catch(() => {}));
      return void (await client.create(customResourceDefinitions, boatDefinition).catch(() => {}));
  }
}

function described(selection: Selection): string {
  return `${String(shown(selection))} ${isSelected(selection) ? selection.hash : ''}`;
}

describe('selections after random changes', () => {
  for (const isView of [true, false]) {
    for (const seed of [1, 2, 3, 4]) {
      test(`equal those that are made afresh, ${isView ? 'with views' : 'with watches'}, seed ${seed}`, async () => {
        const server = await startTestServer();
        const client = isView ? server.client : withoutViews(server);
        const fixture = new SelectionsFixture(server, client);
        const random = seededRandom(seed);
        for (const name of names) await fixture.namespace(name);
        for (const one of placements) fixture.selections.current(one);
        for (let round = 0; round < 6; round++) {
          for (let i = 0; i < 5; i++) {
            await change(fixture, random);
            if (random() < 0.5) await server.clock.advance(0);
          }
          await fixture.settle();
          const fresh = new SelectionsFixture(server, client);
          for (const one of placements) fresh.selections.current(one);
          await fresh.settle();
          for (const one of placements) {
            const expected = described(fresh.selections.current(one));
            assert.equal(described(fixture.selections.current(one)), expected, `round ${round}, ${one.metadata.name}`);
            assert.doesNotMatch(expected, /^pending/);
          }
          await fresh.stopSelections();
        }
        await fixture.stop();
      });
    }
  }
});
