import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastAppliedAnnotation } from '@flotilla/api';
import { byteLength, PatchError, type KubeObject } from '@flotilla/kube';
import { withAnnotation } from './annotations-of.ts';
import { lastAppliedOf, withLastApplied } from './last-applied.ts';

const settings = (text: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', annotations: { note: 'ö' } },
  data: { text },
});

const noteOf = ({ metadata }: KubeObject) => metadata.annotations?.[lastAppliedAnnotation] ?? '';

describe('the last-applied annotation', () => {
  test('is one line of sorted JSON, without itself', () => {
    const { object, isComplete } = withLastApplied(settings('<x>'));
    assert.equal(isComplete, true);
    const line = String.raw`{"apiVersion":"v1","data":{"text":"\u003cx\u003e"},"kind":"ConfigMap","metadata":{"annotations":{"note":"ö"},"name":"c"}}`;
    assert.equal(noteOf(object), `${line}\n`);
  });

  test('is read from the live object', () => {
    const { object } = withLastApplied(settings('x'));
    assert.deepEqual(lastAppliedOf(object), settings('x'));
  });

  test('is read as empty if it is missing', () => {
    assert.deepEqual(lastAppliedOf(settings('x')), {});
    assert.deepEqual(lastAppliedOf(withAnnotation(settings('x'), lastAppliedAnnotation, '')), {});
    assert.deepEqual(lastAppliedOf(withAnnotation(settings('x'), lastAppliedAnnotation, 'null')), {});
  });

  test('is an error if it is not valid JSON', () => {
    for (const text of ['{', '[]', '7']) {
      const live = withAnnotation(settings('x'), lastAppliedAnnotation, text);
      assert.throws(() => lastAppliedOf(live), new PatchError('malformed', 'invalid JSON document'));
    }
  });

  test('is left empty if all annotations together would exceed 262144 bytes', () => {
    const bytesWithout = annotationBytes(withLastApplied(settings('')).object);
    const fitting = withLastApplied(settings('x'.repeat(262_144 - bytesWithout)));
    assert.equal(fitting.isComplete, true);
    assert.equal(annotationBytes(fitting.object), 262_144);
    const oversized = withLastApplied(settings('x'.repeat(262_144 - bytesWithout + 1)));
    assert.equal(oversized.isComplete, false);
    assert.deepEqual(oversized.object.metadata.annotations, { note: 'ö', [lastAppliedAnnotation]: '' });
  });
});

function annotationBytes({ metadata }: KubeObject): number {
  return byteLength(
    Object.entries(metadata.annotations ?? {})
      .flat()
      .join(''),
  );
}
