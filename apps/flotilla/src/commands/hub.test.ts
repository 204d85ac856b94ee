import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkLimits } from '../ignored-flags.ts';
import { retryLimitsIn } from '../retry-options.ts';
import { hubCommand } from './hub.ts';

test("a hub accepts the arguments of KubeFleet's chart for its hub agent", () => {
  const chart = `--leader-elect=true --enable-webhook=true --webhook-service-name=fleetwebhook --enable-guard-rail=true
    --whitelisted-users=system:serviceaccount:fleet-system:hub-agent-sa --webhook-client-connection-type=service --v=5
    -add_dir_header --enable-workload=false --enable-v1beta1-apis=true --enable-cluster-inventory-apis=true
    --enable-staged-update-run-apis=true --enable-eviction-apis=true --enable-pprof=false --pprof-port=6065
    --max-concurrent-cluster-placement=100 --max-fleet-size=100 --concurrent-resource-change-syncs=20 --hub-api-qps=250
    --hub-api-burst=1000 --resync-period=6h --force-delete-wait-time=15m0s --cluster-unhealthy-threshold=3m0s
    --use-cert-manager=false --log_file_max_size=1000000 --logtostderr=false --networking-agents-enabled=false`;
  const { operands, unknown } = hubCommand().parseOptions(chart.split(/\s+/));
  assert.deepEqual([...operands, ...unknown], []);
});

describe("the flags of KubeFleet's hub agent", () => {
  /** The sentence of the parser. Undefined if the arguments are accepted. */
  function refusalOf(args: string): string | undefined {
    const command = hubCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    try {
      command.parseOptions(args.split(' '));
      checkLimits(command.opts());
      retryLimitsIn(command.opts());
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  const ranges: readonly (readonly [flag: string, accepted: readonly string[], refused: readonly string[]])[] = [
    ['concurrent-resource-change-syncs', ['1', '100'], ['0', '101', '1.5', 'many']],
    ['max-fleet-size', ['30', '200'], ['29', '201']],
    ['max-concurrent-cluster-placement', ['10', '200'], ['9', '201']],
    ['hub-api-qps', ['10', '1000', '-1', '0'], ['9.9', '10001', 'NaN']],
    ['hub-api-burst', ['250', '20000'], ['9', '20001']],
    ['leader-election-qps', ['10', '1000', '0'], ['9', '1001']],
    ['leader-election-burst', ['250', '2000'], ['9', '2001']],
    ['resync-period', ['1h', '12h'], ['59m', '13h']],
    ['rate-limiter-base-delay', ['1ms', '200ms'], ['0s', '201ms']],
    ['rate-limiter-max-delay', ['1s', '5m'], ['999ms', '301s']],
    ['rate-limiter-qps', ['1', '100'], ['0', '1001']],
    ['rate-limiter-bucket-size', ['10', '10000'], ['0', '10001']],
    ['cluster-unhealthy-threshold', ['30s', '1h'], ['29s', '61m']],
    ['force-delete-wait-time', ['30s', '1h'], ['29s', '61m']],
    ['resource-snapshot-creation-minimum-interval', ['0s', '5m'], ['-1s', '301s']],
    ['resource-changes-collection-duration', ['0s', '1m'], ['-1s', '61s']],
    ['webhook-client-connection-type', ['url', 'service'], ['pigeon']],
    ['enable-eviction-apis', ['true', 'false'], ['maybe']],
    ['enable-v1beta1-apis', ['true'], ['false']],
    ['use-cert-manager', ['false'], ['true']],
  ];
  for (const [flag, accepted, refused] of ranges) {
    test(`--${flag} is accepted in KubeFleet's range only`, () => {
      for (const value of accepted) assert.equal(refusalOf(`--${flag}=${value}`), undefined, value);
      for (const value of refused) assert.match(refusalOf(`--${flag}=${value}`) ?? 'accepted', new RegExp(flag), value);
    });
  }

  for (const pair of [
    '--hub-api-qps=300 --hub-api-burst=200',
    '--leader-election-qps=300 --leader-election-burst=200',
    '--rate-limiter-qps=20 --rate-limiter-bucket-size=10',
  ]) {
    test(`${pair} contradict each other`, () => assert.match(refusalOf(pair) ?? 'accepted', /must not be above/));
  }
});
