import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PatchDetail } from '@flotilla/api';
import type { JsonObject, JsonValue, KubeObject } from '@flotilla/kube';
import { differencesBetween } from './differences.ts';
import { recorded } from './recorded.testing.ts';

interface Recorded {
  readonly does: string;
  readonly hub: KubeObject;
  readonly member: KubeObject;
  readonly details: readonly PatchDetail[];
}

const cases = recorded(new URL('recorded/differences.json', import.meta.url)) as unknown as readonly Recorded[];

describe('differences are reported as by KubeFleet:', () => {
  for (const { does, hub, member, details } of cases) {
    test(does, () => assert.deepEqual(differencesBetween(hub, member), details));
  }
});

describe('differences', () => {
  const ship = (spec: JsonObject): KubeObject => ({ apiVersion: 'example.com/v1', kind: 'Ship', metadata: {}, spec });

  test('of keys that Object.prototype has too are reported like any other', () => {
    const hub = ship(JSON.parse('{"__proto__": 1}') as JsonObject);
    const member = ship(JSON.parse('{"__proto__": 2, "constructor": 3}') as JsonObject);
    assert.deepEqual(differencesBetween(hub, member), [
      { path: '/spec/__proto__', valueInHub: '1', valueInMember: '2' },
      { path: '/spec/constructor', valueInMember: '3' },
    ]);
  });

  test('in an object that is too deep are an error, and do not exhaust the stack', () => {
    let deep: JsonValue = 1;
    let deeper: JsonValue = 2;
    for (let level = 0; level < 9000; level++) [deep, deeper] = [{ a: deep }, { a: deeper }];
    assert.throws(() => differencesBetween(ship({ deep }), ship({ deep: deeper })), /levels deep cannot be compared/);
    assert.throws(() => differencesBetween(ship({}), ship({ deep })), /exceeded max depth/);
  });

  test('are not printed above the size of a status', () => {
    const large = 'x'.repeat(1_000_000);
    const details = differencesBetween(ship({ l: [large, 1, 2, 3] }), ship({ l: [] }));
    const printed = details.map(({ valueInHub = '' }) => (valueInHub === large ? 'all of it' : valueInHub));
    assert.deepEqual(printed, ['all of it', 'all of it', '(omitted)', '(omitted)']);
  });

  test('between two objects are empty exactly when they are equal', () => {
    const list = ship({ l: [{ a: 1 }, { b: [2, null] }] });
    assert.deepEqual(differencesBetween(list, structuredClone(list)), []);
    assert.notDeepEqual(differencesBetween(list, ship({ l: [{ a: 1 }, { b: [2] }] })), []);
  });
});
