import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Query } from './query.ts';

describe('a query', () => {
  test('has values in their order, and get returns the first', () => {
    const query = Query.of('a=1&b=x+y%21&a=2&c');
    assert.deepEqual(query.all('a'), ['1', '2']);
    assert.equal(query.get('b'), 'x y!');
    assert.equal(query.get('c'), '');
    assert.equal(query.get('d'), undefined);
  });

  test('has flags that are true unless they are false or 0', () => {
    const query = Query.of('a&b=false&c=0&d=no');
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => query.flag(name)),
      [true, false, false, true, undefined],
    );
  });

  test('ignores pairs that Go cannot parse', () => {
    const query = Query.of('a=1;b=2&c=%zz&%zz=d&e=%f&f=%ff&&g=1');
    assert.deepEqual(
      ['a', 'b', 'c', 'e', 'f', 'g'].map((name) => query.get(name)),
      [undefined, undefined, undefined, undefined, '\ufffd', '1'],
    );
  });

  test('may have names that every object inherits', () => {
    assert.equal(Query.of('').has('constructor'), false);
    assert.equal(Query.of('__proto__=x').get('__proto__'), 'x');
  });
});
