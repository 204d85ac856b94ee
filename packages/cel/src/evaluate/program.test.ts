import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CelError } from '../value.ts';
import { errorOf, prepare, run, self } from './sample.testing.ts';

const tooMuch = 'operation cancelled: actual cost limit exceeded';

/** Nests a template this many times; `%` marks the inner expression. */
function nested(inner: string, times: number, around: string): string {
  let text = inner;
  for (let i = 0; i < times; i++) text = around.replaceAll('#', String(i)).replace('%', text);
  return text;
}

test('an error is ignored if the other operand decides', () => {
  assert.equal(run('1 / 0 > 0 || true').value, true);
  assert.equal(run('true || 1 / 0 > 0').value, true);
  assert.equal(run('1 / 0 > 0 && false').value, false);
  assert.equal(run('[1, 0].exists(x, 1 / x > 0)').value, true);
  assert.equal(run('[0, 1].exists(x, 1 / x > 0)').value, true);
  assert.equal(run('[0, 1].all(x, 1 / x > 5)').value, false);
  assert.equal(errorOf('1 / 0 > 0 || false'), 'division by zero');
  assert.equal(errorOf('[0, 1].all(x, 1 / x > 0)'), 'division by zero');
});

test('the first of two errors counts', () => {
  assert.equal(errorOf('1 / 0 > 0 || 1 % 0 > 0'), 'division by zero');
  assert.equal(errorOf('1 / 0 == 1 % 0'), 'division by zero');
});

test('a missing variable is an error value, not an exception', () => {
  const ready = prepare('self.i == 1');
  assert.ok(!(ready instanceof CelError));
  const { value } = ready.evaluate({});
  assert.ok(value instanceof CelError);
  assert.equal(value.message, 'no such attribute(s): self');
});

test('refuses an expression that always fails at compile time', () => {
  const refused = prepare("int('a') == 1");
  assert.ok(refused instanceof CelError);
  assert.equal(refused.message, "type conversion error from 'string' to 'int'");
});

test('a program keeps no state between runs', () => {
  const ready = prepare('self.l.map(x, x + self.s).size()');
  assert.ok(!(ready instanceof CelError));
  assert.deepEqual(ready.evaluate({ self }), { value: 2n, cost: 36 });
  assert.deepEqual(ready.evaluate({ self }), { value: 2n, cost: 36 });
});

test('inner variables shadow outer ones', () => {
  assert.equal(run('[1, 2].all(x, ["a"].all(x, x == "a") && x < 3)').value, true);
});

test('the result of a loop is not modified later', () => {
  assert.equal(run('[[1].map(x, x)].all(l, size(l + [2]) == 2 && size(l + [3]) == 2 && size(l) == 1)').value, true);
});

test('strings that double end at the cost limit', () => {
  const text = nested('"aaaaaaaaaa"', 40, '[%].map(x#, x# + x#)[0]');
  assert.equal((run(`${text} != ""`, 1_000_000).value as CelError).message, tooMuch);
  assert.equal(errorOf(`${text} != ""`), tooMuch);
});

test('lists that double end at the size limit', () => {
  const list = nested('[1]', 60, '[%].map(x#, x# + x#)[0]');
  assert.equal(errorOf(`${list}.size() > 0`), tooMuch);
});

test('limits comparing and printing values that share parts', () => {
  const tree = nested('[1]', 40, '[%].map(x#, [x#, x#])[0]');
  assert.equal(errorOf(`[${tree}].all(v, v == v)`), tooMuch);
  assert.equal(errorOf(`'%s'.format([${tree}]) == ''`), tooMuch);
  assert.equal(errorOf(`dyn(${tree}).flatten(100).size() > 0`), tooMuch);
});

test('charges for a long result before creating it', () => {
  const long = 'lists.range(10000).map(x, "aaaaaaaaaa").join()';
  assert.equal(errorOf(`${long}.replace("", ${long}) != ""`), tooMuch);
  assert.equal(errorOf('lists.range(9223372036854775807).size() > 0'), tooMuch);
  assert.equal((run('lists.range(900000).distinct().size() > 0', 1_000_000).value as CelError).message, tooMuch);
  assert.equal(errorOf('"%.999999999f".format([1.5]) != ""'), tooMuch);
});

test('limits work without a cost', () => {
  const list = 'lists.range(100000)';
  assert.equal(
    (run(`${list}.all(a, ${list}.exists_one(b, false) || true)`, 1_000_000).value as CelError).message,
    tooMuch,
  );
  assert.equal(errorOf(`[${list}].all(l, l.all(a, l.filter(b, false) == []))`), tooMuch);
  const text = 'lists.range(20000).map(x, "aaaaaaaaaa").join()';
  assert.equal(errorOf(`[${text}].all(t, lists.range(100000).all(x, t.size() > 0))`), tooMuch);
  const tree = nested('[1]', 15, '[%].map(x#, [x#, x#])[0]');
  assert.equal(errorOf(`[${tree}].all(t, lists.range(10000).all(x, t == t))`), tooMuch);
});

test('__proto__ and constructor are ordinary keys', () => {
  assert.equal(run('{"__proto__": 1, "constructor": 2}.constructor').value, 2n);
  assert.equal(run('has({"a": 1}.constructor)').value, false);
  assert.equal(errorOf('self.m.toString == ""'), 'no such key: toString');
});
