/** CRDs, and custom resources with detailed schemas. */
import { apply, dryRun, get, keyed, patch, post, put, remove, text, times, types } from './heavy-request.ts';
import type { HeavyRequest, Step } from './heavy-request.ts';

type Fields = Record<string, unknown>;

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = '/apis/heavy.example.com/v1/namespaces/default/widgets';
const target = `${path}/heavy`;
const works = '/apis/placement.kubernetes-fleet.io/v1/namespaces/default/works';
const internalMembers = '/apis/cluster.kubernetes-fleet.io/v1/namespaces/default/internalmemberclusters';

const item = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 64, pattern: '^[a-z][a-z0-9]*$' },
    weight: { type: 'integer', minimum: 0, default: 1 },
  },
};

const widgetSpec = {
  type: 'object',
  properties: {
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    map: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item },
    plain: { type: 'array', items: item },
    numbers: { type: 'array', items: { type: 'integer', minimum: 0 } },
    ruled: {
      type: 'array',
      maxItems: 2000,
      items: {
        type: 'object',
        properties: { from: { type: 'integer' }, to: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.from <= self.to', message: 'from must not be greater than to' }],
      },
    },
    dictionary: { type: 'object', additionalProperties: { type: 'string' } },
    choice: {
      type: 'array',
      items: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

function definition(plural: string, kind: string, spec: Fields, versions: readonly string[] = ['v1']): Fields {
  return {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: `${plural}.heavy.example.com` },
    spec: {
      group: 'heavy.example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: spec } } },
      })),
    },
  };
}

/** Sent once before all requests, with the CRDs of a hub. */
export const widgetDefinition: Step = post(definitionsPath, () => definition('widgets', 'Widget', widgetSpec));

function widget(spec: Fields): Fields {
  return { kind: 'Widget', apiVersion: 'heavy.example.com/v1', metadata: { name: 'heavy' }, spec };
}

const items = (count: number, weight = 1): Fields[] => times(count, (index) => ({ name: `n${index}`, weight }));
const lists = (): Fields =>
  widget({ set: times(10_000, (index) => `s${index}`), map: items(10_000), plain: items(5000) });
const stored = { prepare: [post(path, lists)], cleanup: [remove(target)] };
const small = { prepare: [post(path, () => widget({}))], cleanup: [remove(target)] };
const applied = { prepare: [apply(target, lists)], cleanup: [remove(target)] };
const work = {
  prepare: [
    post(works, () => ({ kind: 'Work', apiVersion: 'placement.kubernetes-fleet.io/v1', metadata: { name: 'heavy' } })),
  ],
  cleanup: [remove(`${works}/heavy`)],
};
const internalMember = (): Fields => ({
  kind: 'InternalMemberCluster',
  apiVersion: 'cluster.kubernetes-fleet.io/v1',
  metadata: { name: 'heavy' },
  spec: { state: 'Join' },
});
const properties = (count: number): Fields =>
  keyed(count, () => ({ value: 'v', observationTime: '2026-01-01T00:00:00Z' }), 'example.com/property-');
const manifests = (count: number): Fields[] =>
  times(count, (index) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: `c${index}` }, data: { k: 'v' } }));
const heavyWork = (): Fields => ({
  kind: 'Work',
  apiVersion: 'placement.kubernetes-fleet.io/v1',
  metadata: { name: 'heavy' },
  spec: { workload: { manifests: manifests(10_000) } },
});

export const customObjectRequests: readonly HeavyRequest[] = [
  {
    name: 'refuse 100,000 entries of a Work’s status',
    method: 'PATCH',
    path: `${works}/heavy/status`,
    contentType: types.merge,
    body: text(`{"status":{"conditions":[],"manifestConditions":[${'0,'.repeat(99_999)}0]}}`),
    ...work,
    status: 422,
  },
  {
    name: 'refuse 40,000 objects of a Work’s status that lack fields',
    ...patch(`${works}/heavy/status`, 'merge', () => ({
      status: { conditions: [], manifestConditions: times(40_000, () => ({ identifier: {} })) },
    })),
    ...work,
    status: 422,
  },
  {
    name: 'refuse an applied status of 40,000 entries of a Work',
    ...apply(`${works}/heavy/status`, () => ({
      kind: 'Work',
      apiVersion: 'placement.kubernetes-fleet.io/v1',
      metadata: { name: 'heavy' },
      status: { conditions: [], manifestConditions: times(40_000, () => 0) },
    })),
    ...work,
    status: 500,
  },
  {
    name: 'create a Work of 10,000 manifests',
    ...post(works, heavyWork),
    status: 201,
    cleanup: [remove(`${works}/heavy`)],
  },
  {
    name: 'apply a Work of 10,000 manifests',
    ...apply(`${works}/heavy`, heavyWork),
    status: 201,
    cleanup: [remove(`${works}/heavy`)],
  },
  {
    name: 'patch 30,000 properties into the status of an InternalMemberCluster in a dry run',
    ...patch(`${internalMembers}/heavy/status${dryRun}`, 'merge', () => ({
      status: { properties: properties(30_000) },
    })),
    prepare: [post(internalMembers, internalMember)],
    status: 200,
    cleanup: [remove(`${internalMembers}/heavy`)],
  },
  {
    name: 'patch 9,000 properties into the status of an InternalMemberCluster',
    ...patch(`${internalMembers}/heavy/status`, 'merge', () => ({ status: { properties: properties(9000) } })),
    prepare: [post(internalMembers, internalMember)],
    status: 200,
    cleanup: [remove(`${internalMembers}/heavy`)],
  },
  {
    name: 'change one of 9,000 properties of an InternalMemberCluster',
    ...patch(`${internalMembers}/heavy/status`, 'merge', () => ({
      status: { properties: { k: { value: 'v', observationTime: '2026-01-01T00:00:00Z' } } },
    })),
    prepare: [
      post(internalMembers, internalMember),
      patch(`${internalMembers}/heavy/status`, 'merge', () => ({ status: { properties: properties(9000) } })),
    ],
    status: 200,
    cleanup: [remove(`${internalMembers}/heavy`)],
  },
  {
    name: 'create a Widget of 100,000 numbers',
    ...post(path, () => widget({ numbers: times(100_000, (index) => index) })),
    status: 201,
    cleanup: [remove(target)],
  },
  {
    name: 'create a Widget of 100,000 numbers of the wrong type',
    ...post(path, () => widget({ numbers: times(100_000, () => 'x') })),
    status: 422,
  },
  {
    name: 'create a Widget of 100,000 numbers that are too small',
    ...post(path, () => widget({ numbers: times(100_000, () => -1) })),
    status: 422,
  },
  {
    name: 'create a Widget with a set of 100,000 texts',
    ...post(path + dryRun, () => widget({ set: times(100_000, (index) => `s${index}`) })),
    status: 201,
  },
  {
    name: 'create a Widget with a set of one text 100,000 times',
    ...post(path, () => widget({ set: times(100_000, () => 's') })),
    status: 422,
  },
  {
    name: 'create a Widget with a list of 30,000 entries by name',
    ...post(path + dryRun, () => widget({ map: items(30_000) })),
    status: 201,
  },
  {
    name: 'create a Widget with a list of 30,000 entries of one name',
    ...post(path, () => widget({ map: times(30_000, () => ({ name: 'n' })) })),
    status: 422,
  },
  {
    name: 'create a Widget of 50,000 entries that need defaults',
    ...post(path + dryRun, () => widget({ plain: times(50_000, (index) => ({ name: `n${index}` })) })),
    status: 201,
  },
  {
    name: 'create a Widget of 50,000 entries that lack their name',
    ...post(path, () => widget({ plain: times(50_000, () => ({})) })),
    status: 422,
  },
  {
    name: 'create a Widget of 50,000 entries whose names match no pattern',
    ...post(path, () => widget({ plain: times(50_000, () => ({ name: 'NOT' })) })),
    status: 422,
  },
  {
    name: 'create a Widget of 50,000 entries that are null',
    ...post(path, () => widget({ plain: times(50_000, () => null) })),
    status: 422,
  },
  {
    name: 'create a Widget of 2,000 entries with rules',
    ...post(path + dryRun, () => widget({ ruled: times(2000, (index) => ({ from: index, to: index + 1 })) })),
    status: 201,
  },
  {
    name: 'create a Widget of 2,000 entries that break a rule',
    ...post(path, () => widget({ ruled: times(2000, (index) => ({ from: index + 1, to: index })) })),
    status: 422,
  },
  {
    name: 'create a Widget with a dictionary of 100,000 keys',
    ...post(path + dryRun, () => widget({ dictionary: keyed(100_000, () => 'v') })),
    status: 201,
  },
  {
    name: 'create a Widget with 100,000 unknown fields',
    ...post(path + dryRun, () => widget(keyed(100_000, () => 1, 'unknown'))),
    status: 201,
  },
  {
    name: 'create a Widget with 100,000 unknown fields, strictly',
    ...post(`${path}?fieldValidation=Strict`, () => widget(keyed(100_000, () => 1, 'unknown'))),
    status: 400,
  },
  {
    name: 'create a Widget of 100,000 choices',
    ...post(path + dryRun, () => widget({ choice: times(100_000, (index) => (index % 2 ? index : `c${index}`)) })),
    status: 201,
  },
  {
    name: 'create a Widget of 100,000 wrong choices',
    ...post(path, () => widget({ choice: times(100_000, () => true) })),
    status: 422,
  },
  {
    name: 'create a Widget of 60,000 free fields, nested',
    ...post(path + dryRun, () => widget({ free: keyed(20_000, () => ({ a: { b: [1, 'two', null] } })) })),
    status: 201,
  },
  {
    name: 'create a Widget of 500,000 free numbers',
    ...post(path + dryRun, () => widget({ free: { x: times(500_000, (index) => index % 1000) } })),
    status: 201,
  },
  {
    name: 'create a Widget of 20,000 entries from YAML, answered in YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    accept: types.yaml,
    body: text(
      `apiVersion: heavy.example.com/v1\nkind: Widget\nmetadata:\n  name: heavy\nspec:\n  map:\n${times(
        20_000,
        (index) => `  - name: n${index}\n    weight: ${index}\n`,
      ).join('')}`,
    ),
    status: 201,
  },
  { name: 'apply a Widget of 25,000 entries', ...apply(target, lists), status: 201, cleanup: [remove(target)] },
  { name: 'apply a Widget of 25,000 entries again', ...apply(target, lists), ...applied, status: 200 },
  {
    name: 'apply 10,000 other entries to a Widget',
    ...apply(target, () => widget({ map: items(10_000, 2) })),
    ...applied,
    status: 200,
  },
  {
    name: 'apply 10,000 conflicts to a Widget',
    ...apply(target, () => widget({ map: items(10_000, 2) }), 'two'),
    ...applied,
    status: 409,
  },
  {
    name: 'apply 20,000 wrong entries to a Widget',
    ...apply(target, () => widget({ map: times(20_000, () => ({ name: 1 })) })),
    ...small,
    status: 500,
  },
  {
    name: 'replace 25,000 entries of a Widget at a stale revision',
    ...put(target, () => ({
      ...widget({ map: items(10_000, 2) }),
      metadata: { name: 'heavy', resourceVersion: '1' },
    })),
    ...stored,
    status: 409,
  },
  {
    name: 'merge 20,000 entries into a Widget',
    ...patch(`${target}${dryRun}`, 'merge', () => ({ spec: { map: items(20_000, 2) } })),
    ...stored,
    status: 200,
  },
  {
    name: 'add 10,000 entries to a Widget by a JSON patch',
    ...patch(target, 'jsonPatch', () =>
      times(10_000, (index) => ({ op: 'add', path: '/spec/plain/-', value: { name: `x${index}` } })),
    ),
    ...stored,
    status: 200,
  },
  {
    name: 'patch 16,000 entries into the status of a Widget',
    ...patch(`${target}/status`, 'merge', () => ({ status: { map: items(16_000) } })),
    ...small,
    status: 200,
  },
  {
    name: 'label a Widget of 25,000 entries',
    ...patch(target, 'merge', () => ({ metadata: { labels: { a: 'b' } } })),
    ...stored,
    status: 200,
  },
  { name: 'read a Widget of 25,000 entries as a Table', ...get(target, types.table), ...stored, status: 200 },
  { name: 'read a Widget of 25,000 entries as YAML', ...get(target, types.yaml), ...stored, status: 200 },
  {
    name: 'create a definition of 10,000 properties in a dry run',
    ...post(definitionsPath + dryRun, () =>
      definition('gadgets', 'Gadget', { type: 'object', properties: keyed(10_000, () => ({ type: 'string' }), 'p') }),
    ),
    status: 201,
  },
  {
    name: 'create a definition of 200 versions in a dry run',
    ...post(definitionsPath + dryRun, () =>
      definition(
        'gadgets',
        'Gadget',
        { type: 'object', properties: keyed(50, () => ({ type: 'string' }), 'p') },
        times(200, (index) => `v${index + 1}`),
      ),
    ),
    status: 201,
  },
  {
    name: 'create a definition of 1,000 rules in a dry run',
    ...post(definitionsPath + dryRun, () =>
      definition('gadgets', 'Gadget', {
        type: 'object',
        properties: keyed(
          1000,
          (index) => ({ type: 'integer', 'x-kubernetes-validations': [{ rule: `self < ${index}` }] }),
          'p',
        ),
      }),
    ),
    status: 201,
  },
  {
    name: 'create a definition of 10,000 wrong properties',
    ...post(definitionsPath, () =>
      definition('gadgets', 'Gadget', { type: 'object', properties: keyed(10_000, () => ({ type: 'wrong' }), 'p') }),
    ),
    status: 422,
  },
];
