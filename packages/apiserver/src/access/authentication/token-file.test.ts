import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTokenFile } from './token-file.ts';

test('a line has a token, a user name, a uid and groups', () => {
  assert.deepEqual(parseTokenFile('t1,joe,7,"a,b"\r\nt2,"jane ""j"" doe",,\n,nobody,1\nt3,x,3\n'), [
    { token: 't1', user: { name: 'joe', uid: '7', groups: ['a', 'b'] } },
    { token: 't2', user: { name: 'jane "j" doe', groups: [''] } },
    { token: 't3', user: { name: 'x', uid: '3', groups: [] } },
  ]);
});

test('an invalid line is refused with an error that does not contain the token', () => {
  assert.throws(() => parseTokenFile('secret,joe\n'), /at least 3 columns \(token, user name, user uid\), found 2/);
  assert.throws(
    () => parseTokenFile('secret,"joe,7\n'),
    (error: Error) => !error.message.includes('secret'),
  );
});
