import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { messageOf, type WireRequest } from '../wire.ts';
import { configMap, configMaps, json, Victim } from './victim.ts';

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
const rejected = 'the server rejected our request due to an error in our request';

function patch(type: keyof typeof types, body: string | object): WireRequest {
  const query = type === 'apply' ? '?dryRun=All&fieldManager=m' : '?dryRun=All';
  return {
    method: 'PATCH',
    target: `${configMaps}/target${query}`,
    type: types[type],
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

describe('hostile patches', { timeout: 60_000 }, () => {
  let victim: Victim;
  before(async () => {
    victim = await Victim.start();
  });
  after(() => victim[Symbol.asyncDispose]());

  const refused: readonly [title: string, request: WireRequest, status: number, message: string][] = [
    [
      'a JSON patch of 10,001 operations',
      patch(
        'json',
        Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' })),
      ),
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ],
    [
      'a path of half a million steps',
      patch('json', [{ op: 'add', path: '/a'.repeat(500_000), value: 1 }]),
      422,
      rejected,
    ],
    [
      'an index above all integers',
      patch('json', [
        { op: 'add', path: '/metadata/finalizers', value: [] },
        { op: 'add', path: '/metadata/finalizers/99999999999999999999', value: 'x' },
      ]),
      422,
      rejected,
    ],
    [
      'a path through an inherited property',
      patch('json', [{ op: 'add', path: '/constructor/prototype/x', value: 1 }]),
      422,
      rejected,
    ],
    ['the removal of an inherited property', patch('json', [{ op: 'remove', path: '/data/toString' }]), 422, rejected],
    [
      'a JSON patch of 11,000 levels',
      patch('json', `[{"op":"add","path":"/x","value":${'['.repeat(11_000)}${']'.repeat(11_000)}}]`),
      400,
      "error decoding patch: invalid character '[' exceeded max depth",
    ],
    [
      'a merge patch of 100,000 levels',
      patch('merge', nested(100_000)),
      400,
      "error decoding patch: invalid character '{' exceeded max depth",
    ],
    [
      'a strategic patch of 100,000 levels',
      patch('strategic', nested(100_000)),
      400,
      "invalid character '{' exceeded max depth",
    ],
    [
      'an applied configuration of 100,000 levels',
      patch('apply', `[${nested(100_000)}]`),
      400,
      'error decoding YAML: error converting YAML to JSON: yaml: exceeded max depth of 10000',
    ],
    [
      'a directive that does not exist',
      patch('strategic', { $patch: 'frobnicate' }),
      500,
      'unknown patch type: frobnicate in map: map[$patch:frobnicate]',
    ],
    [
      'a patch that deletes all',
      patch('strategic', { $patch: 'delete' }),
      400,
      'the name of the object (target based on URL) was undeterminable: name must be provided',
    ],
    [
      '$retainKeys that is not a list',
      patch('strategic', { data: { $retainKeys: 'x' } }),
      400,
      'invalid patch format of retainKeys',
    ],
    [
      '$setElementOrder that is not a list',
      patch('strategic', { metadata: { '$setElementOrder/finalizers': 5 } }),
      500,
      'expected a []interface {}, but received a int64',
    ],
  ];
  for (const [title, request, status, message] of refused) {
    test(`${title}: ${status}`, async () => {
      const answer = await victim.send(request);
      assert.deepEqual([answer.status, messageOf(answer)], [status, message]);
      await victim.isUnharmed();
    });
  }

  test('a patch that doubles the object again and again is stopped', async () => {
    const copies = Array.from({ length: 40 }, (_, index) => ({
      op: 'copy',
      from: '/metadata',
      path: `/metadata/x${index}`,
    }));
    const { status } = await victim.send(patch('json', copies));
    assert.equal(status, 422);
    await victim.isUnharmed();
  });

  for (const [type, body] of [
    [
      'json',
      [
        { op: 'add', path: '/__proto__', value: { polluted: 'b' } },
        { op: 'add', path: '/data/__proto__', value: 'a' },
      ],
    ],
    ['merge', '{"__proto__":{"polluted":1},"data":{"__proto__":"a"}}'],
    ['strategic', '{"__proto__":{"polluted":1},"data":{"__proto__":"a"}}'],
    ['apply', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target"},"data":{"__proto__":"a"}}'],
  ] as const) {
    test(`__proto__ in a ${type} patch is an ordinary key`, async () => {
      const { status, text } = await victim.send(patch(type, body));
      assert.equal(status, 200);
      assert.deepEqual(Object.keys((JSON.parse(text) as { data: object }).data).sort(), ['__proto__', 'k']);
      assert.ok(!text.includes('polluted'));
      await victim.isUnharmed();
    });
  }

  test('managed fields of 9,000 levels, or with keys that objects inherit, are accepted or dropped', async () => {
    const entry = (fields: string): string =>
      `{"manager":"a","operation":"Update","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":${fields}}`;
    const deep = `${'{"f:a":'.repeat(9000)}{}${'}'.repeat(9000)}`;
    for (const fields of [deep, '{"f:__proto__":{},"f:data":{"f:constructor":{}}}', '{"q:a":{}}', '{"k:{":{}}']) {
      const body = configMap('m').replace('"name"', `"managedFields":[${entry(fields)}],"name"`);
      const { status } = await victim.send({ method: 'POST', target: `${configMaps}?dryRun=All`, type: json, body });
      assert.equal(status, 201);
      await victim.isUnharmed();
    }
  });

  test('field managers have 128 printable characters at most', async () => {
    const create = (manager: string): WireRequest => ({
      method: 'POST',
      target: `${configMaps}?dryRun=All&fieldManager=${manager}`,
      type: json,
      body: configMap('fm'),
    });
    const long = await victim.send(create('a'.repeat(129)));
    assert.equal(
      messageOf(long),
      'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
    );
    const control = await victim.send(create('a%00b'));
    assert.equal(
      messageOf(control),
      'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\x00b": invalid character U+0000 (at position 1)',
    );
    assert.equal((await victim.send(create('__proto__'))).status, 201);
    await victim.isUnharmed();
  });
});
