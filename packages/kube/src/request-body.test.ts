import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BytesBody, UnprintedBody } from './request-body.ts';
import type { JsonValue } from './json/value.ts';

describe('the value of a body', () => {
  test('is the one of the client', () => {
    const sent = { metadata: { name: 'x' }, list: [1] };
    assert.equal(new UnprintedBody(sent).value, sent);
  });

  test('lacks members that are not printed', () => {
    const sent = { a: { b: undefined, c: 1 } };
    const body = new UnprintedBody(sent);
    assert.deepEqual(body.value, { a: { c: 1 } });
    assert.equal(body.value, body.value);
    assert.ok('b' in sent.a);
  });

  test('is known only to a parser if it is read otherwise than it is printed', () => {
    const date = new Date(0) as unknown as JsonValue;
    for (const value of [0.5, 1e15, 10n, '\ud800', date]) assert.equal(new UnprintedBody({ value }).value, undefined);
    assert.equal(new BytesBody(Buffer.from('{}')).value, undefined);
  });
});
