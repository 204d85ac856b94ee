import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonFloat } from '../json/value.ts';
import { JsonPathError } from './json-path-steps.ts';
import { compileJsonPath } from './json-path.ts';

const object = {
  metadata: { name: 'harbour', annotations: { 'a.b/c': 'dotted' } },
  spec: {
    berths: [{ name: 'north', depth: 9 }, { name: 'south', depth: 12, lit: true }, { name: 'quay' }],
    open: true,
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'False' },
      { type: 'Open', status: 'True' },
    ],
    share: 0.5,
  },
};

const finds = (path: string, ...expected: unknown[]): void => {
  test(`${path} finds ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(compileJsonPath(path)(object), expected);
  });
};

describe('a JSON path', () => {
  finds('.metadata.name', 'harbour');
  finds('.metadata.absent.name');
  finds(".metadata['name']", 'harbour');
  finds('.metadata.annotations.a\\.b/c', 'dotted');
  finds(".metadata.annotations['a\\.b/c']", 'dotted');
  finds('.spec.berths[0].name', 'north');
  finds('.spec.berths[-1].name', 'quay');
  finds('.spec.berths[0:2].name', 'north', 'south');
  finds('.spec.berths[::2].name', 'north', 'quay');
  finds('.spec.berths[*].name', 'north', 'south', 'quay');
  finds('.spec.berths[0,2].name', 'north', 'quay');
  finds('.spec.berths[1:1].name');
  finds('.spec.berths[?(@.lit)].name', 'south');
  finds('.spec.berths[?(@.lit==true)].name', 'south');
  finds('.spec.berths[?(@.depth>9)].name', 'south');
  finds('.spec.berths[?(@.depth<=9)].name', 'north');
  finds('.status.conditions[?(@.type=="Ready")].status', 'False');
  finds(".status.conditions[?(@.type!='Ready')].status", 'True');
  finds('..depth', 9, 12);
  finds('.status.*', object.status.conditions, 0.5);
  finds(".metadata['name','absent']", 'harbour');
  finds('$.spec.open', true);

  test('finds own keys only, never inherited ones', () => {
    assert.deepEqual(compileJsonPath('.constructor')(object), []);
    assert.deepEqual(compileJsonPath('.__proto__.toString')(object), []);
  });
});

describe('a path that does not fit', () => {
  const fails = (path: string, message: RegExp): void => {
    test(`${path} fails with ${message.source}`, () => {
      assert.throws(
        () => compileJsonPath(path)(object),
        (error) => error instanceof JsonPathError && message.test(error.message),
      );
    });
  };
  fails('.spec.berths[7]', /out of bounds/);
  fails('.metadata[0]', /needs a list/);
  fails('.metadata[?(@.a=="b")]', /needs a list/);
  fails('.status[?(@', /unterminated filter/);
  fails('.spec.berths[a]', /invalid array index/);
  fails('.spec.berths[0', /unterminated array/);
  fails('.spec....name', /multiple recursive descent/);
  fails('.spec.berths[?(@.depth==9.5)]', /incompatible types/);
  fails('.spec.berths[?(@.depth=>9)]', /unrecognized filter operator/);
  fails('.spec.berths[?(@.name=="\\z")]', /invalid syntax/);
  fails('range', /unrecognized identifier/);

  test('compares a fraction with a float that is whole', () => {
    const value = { list: [{ n: new JsonFloat(2) }, { n: 1.5 }] };
    assert.deepEqual(compileJsonPath('.list[?(@.n==1.5)].n')(value), [1.5]);
  });

  test('limits the number of results', () => {
    const wide = { list: Array.from({ length: 200 }, () => Array.from({ length: 200 }, (_, index) => index)) };
    assert.throws(() => compileJsonPath('.list[*][*]')(wide), /more than 10000/);
  });
});
