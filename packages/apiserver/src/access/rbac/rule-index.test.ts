import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRule } from '@flotilla/builtins';
import { RuleIndex, type Question } from './rule-index.ts';

function indexOf(...rules: PolicyRule[]): RuleIndex<string> {
  const index = new RuleIndex<string>();
  for (const [position, rule] of rules.entries()) index.add(rule, `rule ${position}`);
  return index;
}

/** `get apps deployments/scale web`, with `core` for the group without a name; `get /path`. */
function ask(words: string): Question {
  const [verb = '', second = '', third = '', name = ''] = words.split(' ');
  if (second.startsWith('/')) return { isResource: false, verb, path: second };
  const [resource = '', subresource = ''] = third.split('/');
  return { isResource: true, verb, group: second === 'core' ? '' : second, resource, subresource, name };
}

const pods = { apiGroups: [''], resources: ['pods'] };

describe('a rule', () => {
  test('allows its verbs on its resources, and nothing beside them', () => {
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

  test('about a subresource of any resource is about no resource itself', () => {
    const index = indexOf({ verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] });
    assert.ok(index.find(ask('update apps deployments/scale web')));
    assert.equal(index.find(ask('update apps deployments web')), undefined);
    assert.equal(index.find(ask('update apps deployments/status web')), undefined);
  });

  test('with names is about these objects alone', () => {
    const index = indexOf({ ...pods, verbs: ['*'], resourceNames: ['web', '__proto__'] });
    assert.ok(index.find(ask('get core pods web')));
    assert.ok(index.find(ask('get core pods __proto__')));
    for (const other of ['list core pods', 'get core pods api', 'get core pods/log web', 'get apps pods web']) {
      assert.equal(index.find(ask(other)), undefined, other);
    }
  });

  test('about paths allows them, or all that begin so', () => {
    const index = indexOf({ verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*'] });
    for (const path of ['/healthz', '/api/', '/api/v1']) assert.ok(index.find(ask(`get ${path}`)), path);
    for (const path of ['/healthz/ping', '/api', '/metrics']) assert.equal(index.find(ask(`get ${path}`)), undefined);
    assert.equal(index.find(ask('post /healthz')), undefined);
    assert.ok(indexOf({ verbs: ['*'], nonResourceURLs: ['*'] }).find(ask('post /anywhere')));
  });
});

test('the first of many rules that allow it is told', () => {
  const index = indexOf({ ...pods, verbs: ['list'] }, { ...pods, verbs: ['get'] }, { ...pods, verbs: ['*'] });
  assert.equal(index.find(ask('get core pods')), 'rule 1');
});

test('whether objects of all names are meant is another question than whether one is', () => {
  const index = indexOf({ ...pods, verbs: ['get'], resourceNames: [''] });
  const asked = { isResource: true, verb: 'get', group: '', resource: 'pods', subresource: '' } as const;
  assert.ok(index.find({ ...asked, name: '' }));
  assert.equal(index.find({ ...asked, name: undefined }), undefined);
});

/** What Kubernetes does: one rule after another, one value after another. */
function plainlyAllows(rule: PolicyRule, question: Question): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const has = (values: readonly string[], value: string) => values.includes(value) || values.includes('*');
  if (!has(verbs ?? [], question.verb)) return false;
  if (!question.isResource) {
    const covers = (url: string) =>
      url === question.path || (url.endsWith('*') && question.path.startsWith(url.replace(/\*+$/, '')));
    return nonResourceURLs.some(covers);
  }
  const { group, resource, subresource, name = '' } = question;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const isMeant = has(resources, full) || (subresource !== '' && resources.includes(`*/${subresource}`));
  return has(apiGroups, group) && isMeant && (resourceNames.length === 0 || resourceNames.includes(name));
}

test('the index says what looking at every rule would say', () => {
  let seed = 7;
  const below = (end: number): number => (seed = (seed * 16_807) % 2_147_483_647) % end;
  const some = (values: readonly string[]): string[] => values.filter(() => below(3) === 0);
  const one = (values: readonly string[]): string => values[below(values.length)] ?? '';
  const verbs = ['get', 'list', '*', 'create'];
  const groups = ['', 'apps', '*'];
  const things = ['pods', 'pods/log', '*', '*/log', '*/scale', 'secrets', 'log'];
  const names = ['', 'web', 'api'];
  const urls = ['/a', '/a/*', '/a*', '*', '/b/**'];
  let yes = 0;
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
      const question: Question =
        below(4) === 0
          ? { isResource: false, verb, path: one(['/a', '/a/b', '/b/', '/', '/ab']) }
          : { isResource: true, verb, group: one(groups), resource, subresource, name: one(names) };
      const expected = rules.some((rule) => plainlyAllows(rule, question));
      assert.equal(index.find(question) !== undefined, expected, JSON.stringify({ rules, question }));
      if (expected) yes++;
    }
  }
  assert.ok(yes > 1000 && yes < 19_000);
});

test('every rule of a long list is found, whether it is in the index yet or not', () => {
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

test('a question does not wait until thousands of rules are in the index', () => {
  let indexed = 0;
  const rules = Array.from({ length: 5000 }, (_, i) => ({
    ...pods,
    verbs: [`verb-${i}`],
    toJSON: () => indexed++,
  }));
  assert.equal(indexOf(...rules).find(ask('get core pods')), undefined);
  assert.equal(indexed, 500);
});
