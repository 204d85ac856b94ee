import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRule } from '@flotilla/builtins';
import { RuleIndex, type RuleQuery } from './rule-index.ts';

function indexOf(...rules: PolicyRule[]): RuleIndex<string> {
  const index = new RuleIndex<string>();
  for (const [position, rule] of rules.entries()) index.add(rule, `rule ${position}`);
  return index;
}

/** Parses `get apps deployments/scale web`, with `core` for the core group, or `get /path`. */
function ask(words: string): RuleQuery {
  const [verb = '', second = '', third = '', name = ''] = words.split(' ');
  if (second.startsWith('/')) return { isResource: false, verb, path: second };
  const [resource = '', subresource = ''] = third.split('/');
  return { isResource: true, verb, group: second === 'core' ? '' : second, resource, subresource, name };
}

const pods = { apiGroups: [''], resources: ['pods'] };

describe('a rule', () => {
  test('allows its verbs on its resources, and nothing else', () => {
    const index = indexOf({ ...pods, verbs: ['get', 'list'] });
    assert.equal(index.find(ask('get core pods web')), 'rule 0');
    for (const other of [
      'delete core pods',
      'get apps pods',
      'get core pods/log web',
      'get core secrets',
      'get /pods',
    ]) {
      assert.equal(index.find(ask(other)), undefined, other);
    }
  });

  test('with a star allows every verb, group or resource', () => {
    assert.ok(indexOf({ ...pods, verbs: ['*'] }).find(ask('anything core pods')));
    assert.ok(indexOf({ verbs: ['get'], apiGroups: ['*'], resources: ['pods'] }).find(ask('get any.io pods')));
    const all = indexOf({ verbs: ['get'], apiGroups: [''], resources: ['*'] });
    assert.ok(all.find(ask('get core pods/log web')));
    assert.equal(all.find(ask('get apps deployments')), undefined);
  });

  test('for a subresource of any resource does not allow the resource itself', () => {
    const index = indexOf({ verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] });
    assert.ok(index.find(ask('update apps deployments/scale web')));
    assert.equal(index.find(ask('update apps deployments web')), undefined);
    assert.equal(index.find(ask('update apps deployments/status web')), undefined);
  });

  test('with names allows only objects with these names', () => {
    const index = indexOf({ ...pods, verbs: ['*'], resourceNames: ['web', '__proto__'] });
    assert.ok(index.find(ask('get core pods web')));
    assert.ok(index.find(ask('get core pods __proto__')));
    for (const other of ['list core pods', 'get core pods api', 'get core pods/log web', 'get apps pods web']) {
      assert.equal(index.find(ask(other)), undefined, other);
    }
  });

  test('for paths allows them, or all with their prefix', () => {
    const index = indexOf({ verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*'] });
    for (const path of ['/healthz', '/api/', '/api/v1']) assert.ok(index.find(ask(`get ${path}`)), path);
    for (const path of ['/healthz/ping', '/api', '/metrics']) assert.equal(index.find(ask(`get ${path}`)), undefined);
    assert.equal(index.find(ask('post /healthz')), undefined);
    assert.ok(indexOf({ verbs: ['*'], nonResourceURLs: ['*'] }).find(ask('post /anywhere')));
  });
});

test('the source is that of the first rule that allows', () => {
  const index = indexOf({ ...pods, verbs: ['list'] }, { ...pods, verbs: ['get'] }, { ...pods, verbs: ['*'] });
  assert.equal(index.find(ask('get core pods')), 'rule 1');
});

test('a query for all names is not allowed by a rule for the empty name', () => {
  const index = indexOf({ ...pods, verbs: ['get'], resourceNames: [''] });
  const asked = { isResource: true, verb: 'get', group: '', resource: 'pods', subresource: '' } as const;
  assert.ok(index.find({ ...asked, name: '' }));
  assert.equal(index.find({ ...asked, name: undefined }), undefined);
});

/** Kubernetes' algorithm: checks every value of every rule. */
function allowsWithoutIndex(rule: PolicyRule, query: RuleQuery): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const has = (values: readonly string[], value: string) => values.includes(value) || values.includes('*');
  if (!has(verbs ?? [], query.verb)) return false;
  if (!query.isResource) {
    const covers = (url: string) =>
      url === query.path || (url.endsWith('*') && query.path.startsWith(url.replace(/\*+$/, '')));
    return nonResourceURLs.some(covers);
  }
  const { group, resource, subresource, name = '' } = query;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const isNamed = has(resources, full) || (subresource !== '' && resources.includes(`*/${subresource}`));
  return has(apiGroups, group) && isNamed && (resourceNames.length === 0 || resourceNames.includes(name));
}

test('the index has the same result as a check of every rule', () => {
  let seed = 7;
  const below = (end: number): number => (seed = (seed * 16_807) % 2_147_483_647) % end;
  const some = (values: readonly string[]): string[] => values.filter(() => below(3) === 0);
  const one = (values: readonly string[]): string => values[below(values.length)] ?? '';
  const verbs = ['get', 'list', '*', 'create'];
  const groups = ['', 'apps', '*'];
  const things = ['pods', 'pods/log', '*', '*/log', '*/scale', 'secrets', 'log'];
  const names = ['', 'web', 'api'];
  const urls = ['/a', '/a/*', '/a*', '*', '/b/**'];
  let allowed = 0;
  for (let round = 0; round < 2000; round++) {
    const rules = Array.from({ length: 1 + below(3) }, () => ({
      verbs: some(verbs),
      apiGroups: some(groups),
      resources: some(things),
      resourceNames: some(names),
      nonResourceURLs: some(urls),
    }));
    const index = indexOf(...rules);
    for (let turn = 0; turn < 10; turn++) {
      const [resource = '', subresource = ''] = one(things).split('/');
      const verb = one(verbs);
      const query: RuleQuery =
        below(4) === 0
          ? { isResource: false, verb, path: one(['/a', '/a/b', '/b/', '/', '/ab']) }
          : { isResource: true, verb, group: one(groups), resource, subresource, name: one(names) };
      const expected = rules.some((rule) => allowsWithoutIndex(rule, query));
      assert.equal(index.find(query) !== undefined, expected, JSON.stringify({ rules, query }));
      if (expected) allowed++;
    }
  }
  assert.ok(allowed > 1000 && allowed < 19_000);
});

test('every rule of a long list is found, whether it is indexed yet or not', () => {
  let indexed = 0;
  const rules = Array.from({ length: 5000 }, (_, i) => ({
    verbs: ['get'],
    apiGroups: [`group-${i}`],
    resources: ['pods'],
    ...(i % 2 === 0 && { resourceNames: ['web'] }),
    nonResourceURLs: [`/path-${i}/*`],
    toJSON: () => indexed++,
  }));
  const index = indexOf(...rules);
  for (let turn = 0; turn < 20; turn++) {
    for (const i of [0, 1, 2500, 4998, 4999]) {
      assert.ok(index.find(ask(`get group-${i} pods web`)));
      assert.equal(index.find(ask(`get group-${i} pods api`)) !== undefined, i % 2 === 1);
      assert.ok(index.find(ask(`get /path-${i}/x`)));
      assert.equal(index.find(ask(`list group-${i} pods web`)), undefined);
    }
  }
  assert.equal(indexed, rules.length);
});

test('a query does not wait until thousands of rules are indexed', () => {
  let indexed = 0;
  const rules = Array.from({ length: 5000 }, (_, i) => ({
    ...pods,
    verbs: [`verb-${i}`],
    toJSON: () => indexed++,
  }));
  assert.equal(indexOf(...rules).find(ask('get core pods')), undefined);
  assert.equal(indexed, 500);
});
