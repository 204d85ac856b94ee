import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ResourceSelector } from '@flotilla/api';
import type { DiscoveredKind } from '@flotilla/client';
import { apiVersionOf, keyText, type Kind, type KubeObject, type ObjectKey, type ObjectMeta } from '@flotilla/kube';
import { outlineOf } from '@flotilla/runtime';
import { PlaceableApis } from './placeable-apis.ts';
import { PlaceableNamespaces } from './placeable-namespaces.ts';
import { SelectorProblem, type SelectionRules } from './selecting-placement.ts';
import { selectObjects, type HubObjects, type SelectedObjects } from './select-objects.ts';

const verbs = ['get', 'list', 'watch'];

function kind(group: string, version: string, name: string, plural: string, namespaced = true): DiscoveredKind {
  return {
    group,
    version,
    kind: name,
    plural,
    namespaced,
    singular: '',
    shortNames: [],
    categories: [],
    verbs,
    subresources: [],
  };
}

const kinds = {
  namespace: kind('', 'v1', 'Namespace', 'namespaces', false),
  configMap: kind('', 'v1', 'ConfigMap', 'configmaps'),
  secret: kind('', 'v1', 'Secret', 'secrets'),
  pod: kind('', 'v1', 'Pod', 'pods'),
  clusterRole: kind('rbac.authorization.k8s.io', 'v1', 'ClusterRole', 'clusterroles', false),
  boat: kind('sea.example.com', 'v1', 'Boat', 'boats', false),
  oldBoat: kind('sea.example.com', 'v1beta1', 'Boat', 'boats', false),
  review: { ...kind('', 'v1', 'Review', 'reviews', false), verbs: ['create'] },
};

const rules: SelectionRules = {
  apis: new PlaceableApis(),
  namespaces: new PlaceableNamespaces('pier'),
  runsWorkloads: false,
};

/** A hub with these objects. */
function hubOf(...objects: readonly [Kind, ObjectMeta][]): HubObjects {
  const stored = objects.map(([of, metadata]): [Kind, KubeObject] => [
    of,
    { apiVersion: apiVersionOf(of), kind: of.kind, metadata },
  ]);
  const list = (of: Kind, namespace?: string) =>
    stored
      .filter(([kindOf]) => kindOf.plural === of.plural)
      .map(([, object]) => object)
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  return {
    findKind: (gvk) =>
      Object.values(kinds).find(
        (one) => one.group === gvk.group && one.version === gvk.version && one.kind === gvk.kind,
      ),
    kindsInNamespaces: [kinds.configMap, kinds.secret],
    list,
    outlines: (of, inNamespace) =>
      list(of, inNamespace).map((object) => ({
        key: { namespace: object.metadata.namespace, name: object.metadata.name ?? '' },
        outline: outlineOf(object),
      })),
    get: (of: Kind, key: ObjectKey) =>
      list(of).find(
        ({ metadata }) => keyText({ namespace: metadata.namespace, name: metadata.name ?? '' }) === keyText(key),
      ),
    hasService: () => false,
  };
}

const hub = hubOf(
  [kinds.namespace, { name: 'shop', labels: { team: 'sea' } }],
  [kinds.namespace, { name: 'store', labels: { team: 'sea' } }],
  [kinds.namespace, { name: 'bare' }],
  [kinds.namespace, { name: 'leaving', labels: { team: 'sea' }, deletionTimestamp: '2026-01-01T00:00:00Z' }],
  [kinds.namespace, { name: 'kube-system', labels: { team: 'sea' } }],
  [kinds.namespace, { name: 'default', labels: { team: 'sea' } }],
  [kinds.namespace, { name: 'pier', labels: { team: 'sea' } }],
  [kinds.configMap, { namespace: 'shop', name: 'b', labels: { app: 'web' } }],
  [kinds.configMap, { namespace: 'shop', name: 'a' }],
  [kinds.configMap, { namespace: 'shop', name: 'kube-root-ca.crt' }],
  [kinds.configMap, { namespace: 'store', name: 'c', labels: { app: 'web' } }],
  [kinds.configMap, { namespace: 'leaving', name: 'd' }],
  [kinds.secret, { namespace: 'shop', name: 'key' }],
  [kinds.secret, { namespace: 'shop', name: 'old', deletionTimestamp: '2026-01-01T00:00:00Z' }],
  [kinds.pod, { namespace: 'shop', name: 'web-1' }],
  [kinds.clusterRole, { name: 'sailor', labels: { app: 'web' } }],
  [kinds.clusterRole, { name: 'captain' }],
  [kinds.boat, { name: 'one' }],
);

type Selector = Partial<ResourceSelector> & { readonly of: Kind };

function selector({ of: { group, version, kind: name }, ...rest }: Selector): ResourceSelector {
  return { group, version, kind: name, selectionScope: 'NamespaceWithResources', ...rest };
}

function select(selectors: readonly Selector[], namespace?: string, from = hub): SelectedObjects {
  const key = namespace === undefined ? { name: 'app' } : { namespace, name: 'app' };
  const steps = selectObjects({ key, selectors: selectors.map(selector) }, from, rules);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** `Namespace/shop ConfigMap/shop/a`, or the problem. */
function shown(selectors: readonly Selector[], namespace?: string): string {
  try {
    return select(selectors, namespace)
      .kinds.flatMap(({ kind: { kind: name }, keys }) => keys.map((key) => `${name}/${keyText(key)}`))
      .join(' ');
  } catch (error) {
    assert.ok(error instanceof SelectorProblem);
    return error.message;
  }
}

const { namespace, configMap, secret, clusterRole, boat, oldBoat, review, pod } = kinds;
const byTeam = { labelSelector: { matchLabels: { team: 'sea' } } };
const byApp = { labelSelector: { matchLabels: { app: 'web' } } };
const withSelectors = { selectionScope: 'NamespaceWithResourceSelectors' } as const;
const namespaceOnly = { selectionScope: 'NamespaceOnly' } as const;
const shopWhole = 'Namespace/shop Secret/shop/key ConfigMap/shop/a ConfigMap/shop/b';
const unknown = kind('sea.example.com', 'v2', 'Boat', 'boats');

const rows: readonly [claim: string, selectors: readonly Selector[], expected: string, namespace?: string][] = [
  ['takes a whole namespace by name', [{ of: namespace, name: 'shop' }], shopWhole],
  [
    'takes whole namespaces by label, except reserved and leaving ones',
    [{ of: namespace, ...byTeam }],
    'Namespace/shop Namespace/store Secret/shop/key ConfigMap/shop/a ConfigMap/shop/b ConfigMap/store/c',
  ],
  [
    'takes all namespaces by kind alone, except reserved and leaving ones',
    [{ of: namespace, ...namespaceOnly }],
    'Namespace/bare Namespace/shop Namespace/store',
  ],
  ['takes only the namespace if asked', [{ of: namespace, name: 'shop', ...namespaceOnly }], 'Namespace/shop'],
  ['takes nothing of a namespace that is missing', [{ of: namespace, name: 'missing' }], ''],
  ['takes nothing of a namespace that is leaving', [{ of: namespace, name: 'leaving' }], ''],
  ...['kube-system', 'default', 'pier'].flatMap((name) =>
    [{}, namespaceOnly].map((scope): (typeof rows)[number] => [
      `refuses the reserved namespace ${name} by name${scope === namespaceOnly ? ', also alone' : ''}`,
      [{ of: namespace, name, ...scope }],
      `invalid clusterRresourcePlacement app: namespace ${name} is not allowed to propagate`,
    ]),
  ),
  [
    'takes what selectors name in one namespace, and cluster-scoped objects',
    [
      { of: configMap, ...byApp },
      { of: namespace, name: 'shop', ...withSelectors },
      { of: clusterRole, name: 'captain' },
    ],
    'Namespace/shop ConfigMap/shop/b ClusterRole/captain',
  ],
  ...['missing', 'leaving', 'kube-system', 'pier'].map((name): (typeof rows)[number] => [
    `refuses selectors in the namespace ${name}`,
    [{ of: namespace, name, ...withSelectors }, { of: configMap }],
    'invalid clusterResourcePlacement app: NamespaceWithResourceSelectors mode requires exactly one namespace, but no namespaces were selected',
  ]),
  ['takes a cluster-scoped object by name', [{ of: clusterRole, name: 'sailor' }], 'ClusterRole/sailor'],
  ['takes cluster-scoped objects by label', [{ of: clusterRole, ...byApp }], 'ClusterRole/sailor'],
  ['takes all objects of a kind', [{ of: clusterRole }], 'ClusterRole/captain ClusterRole/sailor'],
  [
    'takes everything with an empty label selector',
    [{ of: clusterRole, labelSelector: {} }],
    'ClusterRole/captain ClusterRole/sailor',
  ],
  ['prefers a name to a label selector', [{ of: clusterRole, name: 'captain', ...byApp }], 'ClusterRole/captain'],
  ['takes nothing for a name that is missing', [{ of: clusterRole, name: 'missing' }], ''],
  ['takes an object in the version that the selector names, preferred or not', [{ of: oldBoat }], 'Boat/one'],
  ['ignores a selector of a kind that is never placed', [{ of: pod, name: 'web-1' }, { of: boat }], 'Boat/one'],
  [
    'refuses namespaced objects of a whole hub',
    [{ of: configMap, name: 'a' }],
    'invalid placement /app: cannot select namespace-scoped resource /v1, Resource=configmaps in a clusterResourcePlacement',
  ],
  [
    'refuses a kind that is not served',
    [{ of: unknown }],
    'invalid placement /app, failed to get GVR of the selector: no matches for kind "Boat" in version "sea.example.com/v2"',
  ],
  [
    'refuses a kind that cannot be watched',
    [{ of: review }],
    'invalid placement /app: cannot list and watch resource /v1, Resource=reviews',
  ],
  [
    'refuses an object that two selectors match',
    [
      { of: clusterRole, name: 'sailor' },
      { of: clusterRole, ...byApp },
    ],
    'found duplicate resource {Group:rbac.authorization.k8s.io Version:v1 Kind:ClusterRole Name:sailor Namespace: Envelope:<nil>}',
  ],
  [
    'refuses a namespace that two selectors match, with what is in it',
    [
      { of: namespace, name: 'shop', ...namespaceOnly },
      { of: namespace, name: 'shop' },
    ],
    'found duplicate resource {Group: Version:v1 Kind:Namespace Name:shop Namespace: Envelope:<nil>}',
  ],
  [
    'refuses an object in two versions, which clusters would get twice',
    [{ of: boat }, { of: oldBoat }],
    'found duplicate resource {Group:sea.example.com Version:v1beta1 Kind:Boat Name:one Namespace: Envelope:<nil>}',
  ],
  [
    'refuses a label selector that cannot be read',
    [{ of: boat, labelSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }],
    'cannot convert the label selector to a selector: "Near" is not a valid label selector operator',
  ],
  ['takes objects of its namespace by label', [{ of: configMap, ...byApp }], 'ConfigMap/shop/b', 'shop'],
  ['takes objects of its namespace by name', [{ of: secret, name: 'key' }], 'Secret/shop/key', 'shop'],
  [
    'takes all objects of a kind in its namespace, except those never placed',
    [{ of: configMap }, { of: secret }],
    'Secret/shop/key ConfigMap/shop/a ConfigMap/shop/b',
    'shop',
  ],
  [
    'refuses a Namespace',
    [{ of: namespace, name: 'shop' }],
    'invalid placement shop/app: cannot select cluster-scoped resource Namespace in a resourcePlacement',
    'shop',
  ],
  [
    'refuses cluster-scoped objects',
    [{ of: clusterRole, name: 'sailor' }],
    'invalid placement shop/app: cannot select cluster-scoped resource rbac.authorization.k8s.io/v1, Resource=clusterroles in a resourcePlacement',
    'shop',
  ],
  [
    'refuses a kind that is not served, also in a namespace',
    [{ of: unknown }],
    'invalid placement shop/app, failed to get GVR of the selector: no matches for kind "Boat" in version "sea.example.com/v2"',
    'shop',
  ],
];

describe('a placement', () => {
  for (const [claim, selectors, expected, inNamespace] of rows) {
    test(`${inNamespace === undefined ? '' : 'of a namespace '}${claim}`, () => {
      assert.equal(shown(selectors, inNamespace), expected);
    });
  }

  test('names the namespaces that it takes before it lists their objects, and reads few of these', () => {
    const calls: string[] = [];
    const recording: HubObjects = {
      ...hub,
      takesNamespace: (name) => calls.push(`take ${name}`),
      outlines: (of, inNamespace) => {
        calls.push(`list ${of.plural} of ${inNamespace}`);
        return hub.outlines(of, inNamespace);
      },
      get: (of, key) => {
        if (of.kind !== 'Namespace') calls.push(`read ${of.kind}`);
        return hub.get(of, key);
      },
    };
    const { wholeNamespaces } = select([{ of: namespace, name: 'shop' }], undefined, recording);
    assert.deepEqual(calls, ['take shop', 'list configmaps of shop', 'list secrets of shop', 'read Secret']);
    assert.deepEqual(wholeNamespaces, ['shop']);
  });

  test('survives labels that are none', () => {
    const odd = hubOf([boat, { name: 'one', labels: null as never }], [boat, { name: 'two', labels: 7 as never }]);
    assert.equal(select([{ of: boat, ...byApp }], undefined, odd).kinds.length, 0);
  });
});
