import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from '@flotilla/kube';
import { requestInfo, type ResourceInfo } from '../request/request-info.ts';
import { Classifier } from './classifier.ts';
import { RetryAfter } from './retry-after.ts';
import { changeSeats, listSeats } from './work-estimate.ts';
import { WatchCounts } from './watch-counts.ts';

function infoOf(target: string, method = 'GET'): ResourceInfo {
  const [path = '', query = ''] = target.split('?');
  const info = requestInfo(method, path, query);
  assert.ok(info.isResource);
  return info;
}

describe('the seats of a request', () => {
  const configMaps = '/api/v1/configmaps';
  const named = '?fieldSelector=metadata.name%3Dx';
  const cases: readonly (readonly [
    target: string,
    count: number,
    bytes: number,
    widest: number | undefined,
    seats: number,
  ])[] = [
    [configMaps, 0, 0, undefined, 1],
    [configMaps, 100, 1000, undefined, 1],
    [configMaps, 101, 1000, undefined, 2],
    [configMaps, 5000, 2700, undefined, 10],
    [configMaps, 5000, 2700, 8, 8],
    [`${configMaps}?limit=50`, 5000, 2700, undefined, 2],
    [`${configMaps}?limit=x`, 5000, 2700, 8, 8],
    [`${configMaps}${named}`, 5000, 2700, undefined, 1],
    [`${configMaps}?fieldSelector=metadata.name`, 5000, 2700, undefined, 10],
    [`${configMaps}?watch=1`, 5000, 2700, undefined, 10],
    [`${configMaps}?watch=1&resourceVersion=0`, 5000, 2700, undefined, 10],
    [`${configMaps}?watch=1&resourceVersion=7`, 5000, 2700, undefined, 1],
    [`${configMaps}?watch=1&resourceVersion=7&sendInitialEvents=true`, 5000, 2700, undefined, 10],
  ];

  for (const [target, count, bytes, widest, seats] of cases) {
    test(`are ${seats} for ${target} with ${count} objects of ${bytes} bytes and at most ${widest}`, () => {
      assert.equal(
        listSeats(infoOf(target), () => ({ count, bytes }), widest),
        seats,
      );
    });
  }

  test('is one for a resource of another server', () => {
    assert.equal(
      listSeats(infoOf(configMaps), () => undefined, 8),
      1,
    );
  });

  test('grow with the watches that get the event of a change', () => {
    assert.deepEqual(
      [0, 9, 10, 11, 95, 1000].map((watches) => changeSeats(watches, undefined)),
      [1, 1, 1, 2, 10, 10],
    );
    assert.equal(changeSeats(1000, 3), 3);
    const counts = new WatchCounts();
    const own = infoOf('/api/v1/namespaces/a/configmaps/x?watch=1');
    for (const watched of [
      '/api/v1/configmaps',
      '/api/v1/namespaces/a/configmaps',
      '/api/v1/namespaces/b/configmaps',
    ]) {
      counts.add(infoOf(`${watched}?watch=1`));
    }
    counts.add(own);
    assert.equal(counts.interestedIn(infoOf('/api/v1/namespaces/a/configmaps/x', 'PUT')), 3);
    assert.equal(counts.interestedIn(infoOf('/api/v1/namespaces/a/configmaps', 'POST')), 2);
    assert.equal(counts.interestedIn(infoOf('/api/v1/namespaces/a/secrets', 'POST')), 0);
    counts.remove(own);
    assert.equal(counts.interestedIn(infoOf('/api/v1/namespaces/a/configmaps/x', 'PUT')), 2);
  });
});

describe('a schema', () => {
  const get = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  const first = {
    name: 'first',
    rules: [{ subjects: [{ kind: 'User', user: { name: '*' } }], resourceRules: [{ ...get, namespaces: ['a'] }] }],
  };
  const second = {
    name: 'second',
    rules: [
      // The rules of one subject do not count for another.
      { subjects: [{ kind: 'Group', group: { name: 'ops' } }], resourceRules: [{ ...get, clusterScope: true }] },
      {
        subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/debug/*'] }],
      },
    ],
  };
  const rest = { name: 'rest', rules: [] };
  const classifier = new Classifier([first, second], rest);
  const ops: User = { name: 'jane', groups: ['ops'] };
  const account: User = { name: 'system:serviceaccount:a:b', groups: [] };
  const cases: readonly (readonly [User, method: string, path: string, schema: string])[] = [
    [ops, 'GET', '/api/v1/namespaces/a/pods/x', 'first'],
    [ops, 'GET', '/api/v1/namespaces/b/pods/x', 'rest'],
    [ops, 'GET', '/api/v1/namespaces/a/pods/x/status', 'rest'],
    [ops, 'PUT', '/api/v1/namespaces/a/pods/x', 'rest'],
    [ops, 'GET', '/debug/x', 'rest'],
    [account, 'GET', '/debug/x', 'second'],
    [account, 'POST', '/debug/x/y', 'second'],
    [account, 'GET', '/debug', 'rest'],
    [{ ...account, name: 'system:serviceaccount:ab:b' }, 'GET', '/debug/x', 'rest'],
  ];

  for (const [user, method, path, schema] of cases) {
    test(`${schema} matches ${method} ${path} of ${user.name}`, () => {
      const info = requestInfo(method, path, '');
      const verb = info.isResource ? info.verb : method.toLowerCase();
      assert.equal(classifier.classify(user, info, verb).name, schema);
    });
  }
});

describe('the time to try again', () => {
  test('doubles while many requests are refused, up to 32 s, and falls slowly', () => {
    const retryAfter = new RetryAfter();
    const seen: number[] = [];
    let second = 1_000_000;
    const refuse = (times: number): void => {
      for (let count = 0; count < times; count++) retryAfter.recordDropped(second * 1000);
      if (retryAfter.seconds !== seen.at(-1)) seen.push(retryAfter.seconds);
      second++;
    };
    for (let passed = 0; passed < 100; passed++) refuse(100);
    assert.deepEqual(seen, [1, 2, 4, 8, 16, 32]);
    second += 100;
    refuse(1);
    second += 100;
    refuse(1);
    assert.equal(retryAfter.seconds, 30);
  });
});
