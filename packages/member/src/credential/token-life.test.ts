import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renewalTimeOf, tokenLifeOf } from './token-life.ts';

function token(claims: unknown): string {
  return ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'x'].join('.');
}

const sub = 'system:serviceaccount:fleet-system:sea';

test('a service account token names its account and its life', () => {
  assert.deepEqual(tokenLifeOf(token({ sub, iat: 10, exp: 40 })), {
    account: { namespace: 'fleet-system', name: 'sea' },
    issuedAt: 10_000,
    expiresAt: 40_000,
  });
});

describe('nothing is renewed', () => {
  const others: [string, string][] = [
    ['without a token', ''],
    ['if the token is no JWT', 'abc.def.ghi'],
    ['if its claims are no object', token(null)],
    ['if it belongs to a user', token({ sub: 'anna', iat: 10, exp: 40 })],
    ['if it never expires', token({ sub, iat: 10 })],
    ['if it expires before it was issued', token({ sub, iat: 40, exp: 10 })],
    ['if its account has no name', token({ sub: 'system:serviceaccount:x:', iat: 10, exp: 40 })],
  ];
  for (const [when, text] of others) test(when, () => assert.equal(tokenLifeOf(text), undefined));
});

test('tokens are renewed after half to two thirds of their life, each at its own time', () => {
  const life = { account: { namespace: '', name: '' }, issuedAt: 1000, expiresAt: 31_000 };
  assert.equal(renewalTimeOf(life, 0), 21_000);
  assert.equal(renewalTimeOf(life, 1), 18_000);
});
