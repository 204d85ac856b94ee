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

describe('what was applied last', () => {
  test('stands in the object as one line of sorted JSON, without itself', () => {
    const { object, isRemembered } = withLastApplied(settings('<x>'));
    assert.equal(isRemembered, true);
    const line = String.raw`{"apiVersion":"v1","data":{"text":"\u003cx\u003e"},"kind":"ConfigMap","metadata":{"annotations":{"note":"ö"},"name":"c"}}`;
    assert.equal(noteOf(object), `${line}\n`);
  });

  test('is read again from the live object', () => {
    const { object } = withLastApplied(settings('x'));
    assert.deepEqual(lastAppliedOf(object), settings('x'));
  });

  test('is nothing where the object does not say', () => {
    assert.deepEqual(lastAppliedOf(settings('x')), {});
    assert.deepEqual(lastAppliedOf(withAnnotation(settings('x'), lastAppliedAnnotation, '')), {});
    assert.deepEqual(lastAppliedOf(withAnnotation(settings('x'), lastAppliedAnnotation, 'null')), {});
  });

  test('is an error where somebody has broken it', () => {
    for (const text of ['{', '[]', '7']) {
      const live = withAnnotation(settings('x'), lastAppliedAnnotation, text);
      assert.throws(() => lastAppliedOf(live), new PatchError('malformed', 'invalid JSON document'));
    }
  });

  test('fits until all annotations together have 262144 bytes, and then is left empty', () => {
    const bytesWithout = annotationBytes(withLastApplied(settings('')).object);
    const fitting = withLastApplied(settings('x'.repeat(262_144 - bytesWithout)));
    assert.equal(fitting.isRemembered, true);
    assert.equal(annotationBytes(fitting.object), 262_144);
    const oversized = withLastApplied(settings('x'.repeat(262_144 - bytesWithout + 1)));
    assert.equal(oversized.isRemembered, false);
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
