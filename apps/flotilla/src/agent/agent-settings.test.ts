import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addAgentFlags, type AgentFlags } from './agent-flags.ts';
import { addressesIn, limitsIn, logLevelIn, settingsIn } from './agent-settings.ts';
import { GoFlagsCommand } from './go-flags-command.ts';

const retries = '--work-applier-requeue-rate-limiter';

describe('the flags of an agent', () => {
  test("have KubeFleet's defaults", () => {
    assert.deepEqual(settingsIn(flagsOf(), 'me'), {
      limits: { deletionWaitMs: 300_000 },
      requeue: {
        fixedAttempts: 1,
        fixedMs: 5000,
        initialSlowMs: 2000,
        slowBase: 1.2,
        maxSlowMs: 15_000,
        fastBase: 1.5,
        maxFastMs: 900_000,
        skipsToFastWhenSettled: true,
      },
      trackJobs: false,
    });
  });

  test('are accepted with one dash or two, and with an equals sign or without', () => {
    const flags = flagsOf('-leader-elect', '--deletion-wait-time=7', `${retries}-fixed-delay-seconds`, '9', '-v=5');
    const { limits, requeue, election } = settingsIn(flags, 'me');
    assert.deepEqual([limits, requeue?.fixedMs], [{ deletionWaitMs: 420_000 }, 9000]);
    assert.deepEqual(election, {
      identity: 'me',
      namespace: 'kube-system',
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2000,
    });
    assert.equal(logLevelIn(flags), 'debug');
  });

  test('set priorities only with the priority queue', () => {
    assert.equal(settingsIn(flagsOf('--work-applier-priority-linear-equation-coeff-a=-5'), 'me').priorities, undefined);
    const flags = flagsOf(
      '--enable-work-applier-priority-queue',
      '--work-applier-priority-linear-equation-coeff-a',
      '-5',
    );
    assert.deepEqual(settingsIn(flags, 'me').priorities, { perMinute: -5, whenNew: 100 });
  });

  for (const [flag, wrong, sentence] of [
    ['--hub-api-qps', '9', 'It must be a number from 10 to 1000, or negative for no limit.'],
    ['--hub-api-burst', '2001', 'It must be a whole number from 10 to 2000.'],
    ['--member-api-qps', '10001', 'It must be a number from 10 to 10000, or negative for no limit.'],
    ['--member-api-burst', '9', 'It must be a whole number from 10 to 20000.'],
    ['--deletion-wait-time', '0', 'It must be a whole number from 1 to 60.'],
    [`${retries}-attempts-with-fixed-delay`, '41', 'It must be a whole number from 1 to 40.'],
    [`${retries}-fixed-delay-seconds`, '1', 'It must be a whole number from 2 to 300.'],
    [`${retries}-exponential-base-for-slow-backoff`, '1.04', 'It must be a number from 1.05 to 2.'],
    [`${retries}-initial-slow-backoff-delay-seconds`, '1', 'It must be a whole number from 2 on.'],
    [`${retries}-max-slow-backoff-delay-seconds`, '2.5', 'It must be a whole number from 2 on.'],
    [`${retries}-exponential-base-for-fast-backoff`, '1', 'It must be a number above 1 and at most 2.'],
    [`${retries}-max-fast-backoff-delay-seconds`, '0', 'It must be a whole number above 0 and at most 3600.'],
    ['--work-applier-priority-linear-equation-coeff-a', '0', 'It must be a whole number from -100 to -1.'],
    ['--work-applier-priority-linear-equation-coeff-b', 'x', 'It must be a whole number from 1 to 1000.'],
  ] as const) {
    test(`refuse ${flag} ${wrong}`, () => {
      assert.throws(
        () => flagsOf(flag, wrong),
        ({ message }: Error) => message.endsWith(sentence),
      );
    });
  }

  for (const [sentence, ...args] of [
    [/initial-slow.* must not be above .*max-slow/, `${retries}-initial-slow-backoff-delay-seconds=16`],
    [/max-slow.* must not be above .*max-fast/, `${retries}-max-fast-backoff-delay-seconds=14`],
    [/for-fast-backoff must not be below .*for-slow-backoff/, `${retries}-exponential-base-for-slow-backoff=1.6`],
    [/lease-duration must be above/, '--leader-elect', '--leader-lease-duration=10s'],
    [/renew-deadline must be more than 1\.2 times/, '--leader-elect', '--leader-retry-period=9s'],
  ] as const) {
    test(`refuse ${args.join(' ')}, which contradicts the defaults`, () => {
      assert.throws(() => settingsIn(flagsOf(...args), 'me'), sentence);
    });
  }
});

describe('the request limits of an agent', () => {
  test("are KubeFleet's without --name, and none with it", () => {
    assert.deepEqual(limitsIn(flagsOf()), {
      hub: { perSecond: 50, burst: 500 },
      member: { perSecond: 250, burst: 1000 },
    });
    assert.deepEqual(limitsIn(flagsOf('--name', 'a')), { hub: undefined, member: undefined });
    assert.deepEqual(limitsIn(flagsOf('--name', 'a', '--hub-api-qps', '20')).hub, { perSecond: 20, burst: 500 });
    assert.equal(limitsIn(flagsOf('--hub-api-qps', '-5')).hub, undefined);
    assert.throws(() => limitsIn(flagsOf('--hub-api-burst=10')), /--hub-api-burst must not be below --hub-api-qps\./);
  });
});

describe('the addresses that an agent serves', () => {
  test("are KubeFleet's without --name, and none with it", () => {
    assert.deepEqual(addressesIn(flagsOf()), { health: [':8081', ':8091'], metrics: [':8080', ':8090'] });
    assert.deepEqual(addressesIn(flagsOf('--name', 'a')), { health: [], metrics: [] });
  });

  test('are those of the flags, and 0 or nothing turns one off', () => {
    const flags = flagsOf('--name', 'a', '--metrics-bind-address', ':1', '--hub-health-probe-bind-address=:2');
    assert.deepEqual(addressesIn(flags), { health: [':2'], metrics: [':1'] });
    const off = flagsOf('--hub-metrics-bind-address=0', '--metrics-bind-address=', '--health-probe-bind-address=0');
    assert.deepEqual(addressesIn(off), { health: [':8081'], metrics: [] });
  });
});

function flagsOf(...args: readonly string[]): AgentFlags {
  const command = addAgentFlags(new GoFlagsCommand('agent'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.parse([...args], { from: 'user' }).opts<AgentFlags>();
}
