import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, type KubeObject } from '@flotilla/kube';
import { builtinCatalog } from '../../resources/builtin-resources.ts';
import { Registry } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { plainOptions } from '../../request/write-options.ts';
import type { Attributes, Operation } from '../admission.ts';
import { MatchCriteria, type MatchFields } from './match-criteria.ts';
import { MatchIndex } from './match-index.ts';
import type { AdmissionRule } from './rules.ts';

const registry = new Registry(builtinCatalog());

/** `apps/v1/deployments/scale` or `v1/pods`. */
function requested(path: string): { resource: Resource; subresource: string } {
  const parts = path.split('/');
  const [group, version, plural, subresource = ''] = parts[0] === 'v1' ? ['', ...parts] : parts;
  const resource = registry.find(group ?? '', version ?? '', plural ?? '');
  assert.ok(resource, path);
  return { resource, subresource };
}

const namespaceLabels: Readonly<Record<string, Record<string, string>>> = { blue: { team: 'blue' }, plain: {} };

interface Request {
  readonly operation?: Operation;
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Record<string, string>;
  readonly oldLabels?: Record<string, string>;
}

function request(path: string, options: Request = {}): Attributes {
  const { operation = 'CREATE', name = 'a', labels = {}, oldLabels } = options;
  const { resource, subresource } = requested(path);
  const namespace = options.namespace ?? (resource.namespaced ? 'blue' : '');
  const object = (found: Record<string, string>): KubeObject => ({
    apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
    kind: resource.kind,
    metadata: { name, labels: found },
  });
  const store = {
    newest: ({ name: of }: { name: string }) =>
      Object.hasOwn(namespaceLabels, of) ? { header: { uid: '', labels: namespaceLabels[of] } } : undefined,
  };
  return {
    operation,
    resource,
    subresource,
    namespace,
    name,
    object: operation === 'DELETE' ? undefined : object(labels),
    oldObject: oldLabels && object(oldLabels),
    options: plainOptions,
    user: { name: 'u', groups: [] },
    dryRun: false,
    server: { store } as unknown as Attributes['server'],
    warnings: [],
  };
}

function rule(resource: string, more: Partial<AdmissionRule> = {}): AdmissionRule {
  return { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource], scope: '*', ...more };
}

/** The version that matched, or 'no'. */
function outcome(fields: MatchFields, path: string, options?: Request): string {
  try {
    const matched = new MatchCriteria(fields).match(request(path, options));
    if (!matched) return 'no';
    const { group, version, kind } = matched.kind;
    return `${group || 'core'}/${version} ${kind}`;
  } catch (error) {
    return error instanceof ApiError ? error.message : String(error);
  }
}

const rows: readonly (readonly [
  what: string,
  fields: MatchFields,
  path: string,
  options: Request,
  expected: string,
])[] = [
  ['a resource by name', { rules: [rule('pods')] }, 'v1/pods', {}, 'core/v1 Pod'],
  ['no subresource by its resource', { rules: [rule('pods')] }, 'v1/pods/status', {}, 'no'],
  ['a subresource by name', { rules: [rule('pods/status')] }, 'v1/pods/status', {}, 'core/v1 Pod'],
  ['no subresource by *', { rules: [rule('*')] }, 'v1/pods/status', {}, 'no'],
  ['a subresource by pods/*', { rules: [rule('pods/*')] }, 'v1/pods/status', {}, 'core/v1 Pod'],
  ['a resource by pods/* too', { rules: [rule('pods/*')] }, 'v1/pods', {}, 'core/v1 Pod'],
  ['a subresource by */scale', { rules: [rule('*/scale')] }, 'apps/v1/deployments/scale', {}, 'autoscaling/v1 Scale'],
  ['no other operation', { rules: [rule('pods', { operations: ['UPDATE'] })] }, 'v1/pods', {}, 'no'],
  ['no other group', { rules: [rule('pods', { apiGroups: ['apps'] })] }, 'v1/pods', {}, 'no'],
  ['the core group by an empty name', { rules: [rule('pods', { apiGroups: [''] })] }, 'v1/pods', {}, 'core/v1 Pod'],
  ['nothing without rules', { rules: [] }, 'v1/pods', {}, 'no'],
  ['everything if rules are absent', {}, 'v1/pods', {}, 'core/v1 Pod'],
  ['no namespaced object by scope Cluster', { rules: [rule('pods', { scope: 'Cluster' })] }, 'v1/pods', {}, 'no'],
  [
    'a namespace by scope Cluster',
    { rules: [rule('*', { scope: 'Cluster' })] },
    'v1/namespaces',
    {},
    'core/v1 Namespace',
  ],
  ['no namespace by scope Namespaced', { rules: [rule('*', { scope: 'Namespaced' })] }, 'v1/namespaces', {}, 'no'],
  ['a resource name', { rules: [rule('pods', { resourceNames: ['a'] })] }, 'v1/pods', {}, 'core/v1 Pod'],
  ['no other resource name', { rules: [rule('pods', { resourceNames: ['b'] })] }, 'v1/pods', {}, 'no'],
  ['no excluded rule', { rules: [rule('*')], excludedRules: [rule('pods')] }, 'v1/pods', {}, 'no'],
  [
    'no other version if Exact',
    { rules: [rule('*', { apiVersions: ['v2'] })], matchPolicy: 'Exact' },
    'autoscaling/v1/horizontalpodautoscalers',
    {},
    'no',
  ],
  [
    'another version if Equivalent',
    { rules: [rule('horizontalpodautoscalers', { apiVersions: ['v2'] })], matchPolicy: 'Equivalent' },
    'autoscaling/v1/horizontalpodautoscalers',
    {},
    'autoscaling/v2 HorizontalPodAutoscaler',
  ],
  [
    'the requested version first',
    { rules: [rule('*', { apiVersions: ['v2'] }), rule('*', { apiVersions: ['v1'] })], matchPolicy: 'Equivalent' },
    'autoscaling/v1/horizontalpodautoscalers',
    {},
    'autoscaling/v1 HorizontalPodAutoscaler',
  ],
  [
    'another group if Equivalent',
    { rules: [rule('events', { apiGroups: ['events.k8s.io'] })], matchPolicy: 'Equivalent' },
    'v1/events',
    {},
    'events.k8s.io/v1 Event',
  ],
  [
    'no excluded equivalent',
    { excludedRules: [rule('*', { apiVersions: ['v2'] })], matchPolicy: 'Equivalent' },
    'autoscaling/v1/horizontalpodautoscalers',
    {},
    'no',
  ],
];

describe('MatchCriteria', () => {
  for (const [what, fields, path, options, expected] of rows) {
    test(`match ${what}`, () => assert.equal(outcome(fields, path, options), expected));
  }

  const inBlue: MatchFields = { rules: [rule('*')], namespaceSelector: { matchLabels: { team: 'blue' } } };
  const chosen: MatchFields = { rules: [rule('*')], objectSelector: { matchLabels: { app: 'x' } } };
  const selections: readonly (readonly [
    what: string,
    fields: MatchFields,
    path: string,
    options: Request,
    expected: string,
  ])[] = [
    ['objects in selected namespaces', inBlue, 'v1/pods', {}, 'core/v1 Pod'],
    ['no objects in other namespaces', inBlue, 'v1/pods', { namespace: 'plain' }, 'no'],
    [
      'a written namespace by its new labels',
      inBlue,
      'v1/namespaces',
      { name: 'plain', labels: { team: 'blue' } },
      'core/v1 Namespace',
    ],
    [
      'a deleted namespace by its stored labels',
      inBlue,
      'v1/namespaces',
      { operation: 'DELETE', name: 'blue' },
      'core/v1 Namespace',
    ],
    ['every cluster-scoped object', inBlue, 'v1/nodes', {}, 'core/v1 Node'],
    ['with an error in a missing namespace', inBlue, 'v1/pods', { namespace: 'gone' }, 'namespaces "gone" not found'],
    [
      'nothing else in a missing namespace',
      { ...inBlue, rules: [rule('secrets')] },
      'v1/pods',
      { namespace: 'gone' },
      'no',
    ],
    ['objects by their labels', chosen, 'v1/pods', { labels: { app: 'x' } }, 'core/v1 Pod'],
    ['objects by their old labels', chosen, 'v1/pods', { operation: 'UPDATE', oldLabels: { app: 'x' } }, 'core/v1 Pod'],
    ['no objects without the labels', chosen, 'v1/pods', { operation: 'UPDATE', oldLabels: {} }, 'no'],
  ];
  for (const [what, fields, path, options, expected] of selections) {
    test(`select ${what}`, () => assert.equal(outcome(fields, path, options), expected));
  }
});

test('an index returns what may match a target, in order', () => {
  const item = (
    name: string,
    rules: AdmissionRule[],
    matchPolicy = 'Exact',
  ): { name: string; criteria: MatchCriteria } => ({
    name,
    criteria: new MatchCriteria({ rules, matchPolicy, namespaceSelector: { matchLabels: { never: 'true' } } }),
  });
  const index = new MatchIndex([
    item('b', [rule('pods')]),
    item('a', [rule('*', { operations: ['CREATE'] })]),
    item('c', [rule('*', { apiVersions: ['v2'] })], 'Equivalent'),
  ]);
  const names = (path: string, operation: Operation = 'CREATE'): string[] =>
    index.candidates({ ...requested(path), operation }).map(({ name }) => name);
  assert.deepEqual(names('v1/pods'), ['b', 'a']);
  assert.deepEqual(names('v1/pods', 'DELETE'), ['b']);
  assert.deepEqual(names('v1/pods/status'), []);
  assert.deepEqual(names('autoscaling/v1/horizontalpodautoscalers', 'UPDATE'), ['c']);
});
