import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  configMaps,
  labelSelectorFrom,
  LabelSelector,
  namespaces,
  secrets,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { InterestIndex } from './interest-index.ts';

function labelled(selector: LabelSelectorObject) {
  return { kind: configMaps, namespace: 'shop', labels: labelSelectorFrom(selector) };
}

function concerned(index: InterestIndex, ...states: readonly Record<string, string>[]): string[] {
  return [...index.of(configMaps, { namespace: 'shop', name: 'a' }, () => states)].toSorted();
}

describe('the index of placements', () => {
  test('finds them by name without a look at labels', () => {
    const index = new InterestIndex();
    index.set('one', [{ kind: configMaps, namespace: 'shop', name: 'a' }]);
    index.set('two', [{ kind: configMaps, namespace: 'shop', name: 'b' }]);
    index.set('three', [{ kind: configMaps, namespace: 'store', name: 'a' }]);
    index.set('four', [{ kind: secrets, namespace: 'shop', name: 'a' }]);
    const found = index.of(configMaps, { namespace: 'shop', name: 'a' }, () => assert.fail('asked for labels'));
    assert.deepEqual([...found], ['one']);
    assert.equal(index.of(namespaces, { name: 'a' }, () => assert.fail('asked for labels')).size, 0);
  });

  test('finds them by labels before or after a change, each once', () => {
    const index = new InterestIndex();
    index.set('equal', [labelled({ matchLabels: { app: 'web', tier: 'front' } })]);
    index.set('among', [labelled({ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] })]);
    index.set('exists', [labelled({ matchExpressions: [{ key: 'app', operator: 'Exists' }] })]);
    index.set('absent', [labelled({ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] })]);
    index.set('all', [{ kind: configMaps, namespace: 'shop', labels: LabelSelector.everything }]);
    assert.deepEqual(concerned(index, { app: 'web' }), ['all', 'among', 'exists']);
    assert.deepEqual(concerned(index, { app: 'web', tier: 'front' }), ['all', 'among', 'equal', 'exists']);
    assert.deepEqual(concerned(index, { app: 'other' }), ['all', 'exists']);
    assert.deepEqual(concerned(index, {}), ['absent', 'all']);
    assert.deepEqual(concerned(index, { app: 'api' }, {}), ['absent', 'all', 'among', 'exists']);
    assert.deepEqual(concerned(index), []);
  });

  test('evaluates no selector that needs another label', (t) => {
    const index = new InterestIndex();
    const matches = t.mock.method(LabelSelector.prototype, 'matches');
    for (let i = 0; i < 100; i++) index.set(`placement-${i}`, [labelled({ matchLabels: { app: `app-${i}` } })]);
    assert.deepEqual(concerned(index, { app: 'app-7' }), ['placement-7']);
    assert.equal(matches.mock.callCount(), 1);
  });

  test('forgets what a placement selected before', () => {
    const index = new InterestIndex();
    index.set('one', [
      labelled({ matchLabels: { app: 'web' } }),
      labelled({}),
      { kind: configMaps, namespace: 'shop', name: 'a' },
    ]);
    index.addWholeNamespace('one', 'shop');
    index.addWholeNamespace('one', 'store');
    index.set('one', [labelled({ matchLabels: { app: 'api' } })]);
    assert.deepEqual(concerned(index, { app: 'web' }), []);
    assert.deepEqual(concerned(index, { app: 'api' }), ['one']);
    assert.deepEqual([...index.inNamespace('shop')], ['one']);
    index.keepWholeNamespaces('one', new Set(['store']));
    assert.deepEqual([...index.inNamespace('shop'), ...index.inNamespace('store')], ['one']);
    index.delete('one');
    assert.deepEqual([...index.inNamespace('store'), ...concerned(index, { app: 'api' })], []);
    assert.equal(index.inNamespace(undefined).size, 0);
  });
});
