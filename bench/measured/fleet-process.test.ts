import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fleetProcessOptions } from './fleet-process.ts';

test('fleets are measured with the options that the launcher gives to flotilla up', () => {
  const { execArgv, env } = fleetProcessOptions();
  assert.deepEqual(
    execArgv.map((option) => option.split('=')[0]),
    [
      '--min-semi-space-size',
      '--max-semi-space-size',
      '--heap-growing-percent',
      '--external-memory-accounted-in-global-limit',
    ],
  );
  assert.ok(Number(env['MALLOC_ARENA_MAX']) > 0);
  assert.throws(() => fleetProcessOptions('exec node'), /no options for up/);
});
