import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@flotilla/kube';
import type { PodTemplate } from '../kinds.ts';
import { revisionName } from './stateful-set-status.ts';

test('templates that differ only in a large number have different names', () => {
  const nameOf = (seconds: string): string =>
    revisionName('a', parseJson(`{"spec":{"terminationGracePeriodSeconds":${seconds}}}`).value as PodTemplate);
  assert.notEqual(nameOf('9223372036854775806'), nameOf('9223372036854775807'));
});
