import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergeTolerations } from './merge-tolerations.ts';

const everything = { operator: 'Exists' };
const anyK = { key: 'k', operator: 'Exists' };
const oneK = { key: 'k', operator: 'Equal', value: 'v' };

describe('merged tolerations', () => {
  test('are both lists where none covers another', () => {
    const other = { key: 'x', operator: 'Equal', value: 'v' };
    assert.deepEqual(mergeTolerations([anyK], [other]), [anyK, other]);
  });

  test('lose those that a wider one covers, in either list', () => {
    assert.deepEqual(mergeTolerations([anyK, everything], [oneK]), [everything]);
    assert.deepEqual(mergeTolerations([oneK], [anyK]), [anyK]);
  });

  test('keep the first of equal ones', () => {
    assert.deepEqual(mergeTolerations([oneK], [{ ...oneK }]), [oneK]);
  });

  test('keep the longer period', () => {
    const brief = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    const long = { ...brief, tolerationSeconds: 50 };
    const forever = { key: 'k', operator: 'Exists', effect: 'NoExecute' };
    assert.deepEqual(mergeTolerations([brief], [long]), [long]);
    assert.deepEqual(mergeTolerations([long], [forever]), [forever]);
  });

  test('distinguish effects', () => {
    const scheduling = { ...anyK, effect: 'NoSchedule' };
    const executing = { ...anyK, effect: 'NoExecute' };
    assert.deepEqual(mergeTolerations([scheduling], [executing]), [scheduling, executing]);
    assert.deepEqual(mergeTolerations([scheduling, executing], [anyK]), [anyK]);
  });

  test('are found among twenty thousand without comparing each with each', { timeout: 20_000 }, () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ key: 'k', operator: 'Equal', value: `v${index}` }));
    assert.equal(mergeTolerations(many, [{ key: 'x', operator: 'Exists' }]).length, 20_001);
    assert.deepEqual(mergeTolerations(many, [anyK]), [anyK]);
  });
});
