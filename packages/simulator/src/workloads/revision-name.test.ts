import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@flotilla/kube';
import type { PodTemplate } from '../kinds.ts';
import { revisionName } from './revision-name.ts';

test('a template with numbers of any size has a name of its own', () => {
  const nameOf = (seconds: string): string =>
    revisionName('a', parseJson(`{"spec":{"terminationGracePeriodSeconds":${seconds}}}`).value as PodTemplate);
  assert.notEqual(nameOf('9223372036854775806'), nameOf('9223372036854775807'));
});
