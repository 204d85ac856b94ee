import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intValue, percentIn, resolveIntOrPercent } from './int-or-string.ts';

test('numbers stand for themselves, percentages for a share', () => {
  assert.equal(resolveIntOrPercent(3, 10, 'up'), 3);
  assert.equal(resolveIntOrPercent('25%', 3, 'up'), 1);
  assert.equal(resolveIntOrPercent('25%', 3, 'down'), 0);
  assert.equal(intValue('80'), 80);
  assert.equal(intValue('http'), 0);
  assert.equal(percentIn('25%'), 25);
  assert.equal(percentIn('-25%'), undefined);
});

test('refuses other texts in Kubernetes’ words', () => {
  assert.throws(() => resolveIntOrPercent('25', 3, 'up'), {
    message: 'invalid value for IntOrString: invalid type: string is not a percentage',
  });
  assert.throws(() => resolveIntOrPercent('x%', 3, 'up'), {
    message: 'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax',
  });
});
