import assert from 'node:assert/strict';
import { test } from 'node:test';
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
