import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndpointAddress, EndpointSubset } from '../network-kinds.ts';
import { repackSubsets } from './repack-subsets.ts';
import { countAddresses, truncateSubsets } from './truncate-subsets.ts';

const b: EndpointAddress = {
  ip: '10.0.0.2',
  nodeName: 'n',
  targetRef: { kind: 'Pod', namespace: 'd', name: 'b', uid: 'u2' },
};
const a: EndpointAddress = {
  ip: '10.0.0.10',
  hostname: 'h',
  nodeName: 'n',
  targetRef: { kind: 'Pod', namespace: 'd', name: 'a', uid: 'u1' },
};
const http = { name: 'http', port: 80, protocol: 'TCP' };
const dns = { name: 'dns', port: 53, protocol: 'UDP' };
const metrics = { name: 'metrics', port: 9090, protocol: 'TCP', appProtocol: 'http' };
const otherMetrics = { name: 'metrics', port: 9091, protocol: 'TCP' };

describe('subsets of Endpoints', () => {
  test('have the layout and order of Kubernetes', () => {
    const subsets: EndpointSubset[] = [
      { addresses: [b], ports: [http] },
      { addresses: [b], ports: [dns] },
      { addresses: [b], ports: [metrics] },
      { notReadyAddresses: [a], ports: [http] },
      { notReadyAddresses: [a], ports: [dns] },
      { addresses: [{ ip: '10.0.0.3' }], ports: [otherMetrics] },
      { addresses: [{ ip: '10.0.0.4' }] },
    ];
    assert.deepEqual(repackSubsets(subsets), [
      { addresses: [b], ports: [metrics] },
      { addresses: [{ ip: '10.0.0.3' }], ports: [otherMetrics] },
      { addresses: [b], notReadyAddresses: [a], ports: [http, dns] },
      { addresses: [{ ip: '10.0.0.4' }] },
    ]);
  });

  test('an address that is ready in one and not in another is not ready', () => {
    const subsets = [
      { addresses: [b], ports: [http] },
      { notReadyAddresses: [b], ports: [http] },
    ];
    assert.deepEqual(repackSubsets(subsets), [{ notReadyAddresses: [b], ports: [http] }]);
  });

  test('keep a thousand addresses, ready ones first, in proportion', () => {
    const addresses = (count: number): EndpointAddress[] =>
      Array.from({ length: count }, (_, at) => ({ ip: `10.1.${at >> 8}.${at & 255}` }));
    const ready = truncateSubsets([
      { addresses: addresses(900), ports: [http] },
      { addresses: addresses(300), notReadyAddresses: addresses(5), ports: [dns] },
    ]);
    assert.deepEqual(
      ready.map(({ addresses: kept = [] }) => kept.length),
      [750, 250],
    );
    assert.deepEqual(countAddresses(ready), { ready: 1000, notReady: 0 });
    const mixed = truncateSubsets([{ addresses: addresses(990), notReadyAddresses: addresses(30) }]);
    assert.deepEqual(countAddresses(mixed), { ready: 990, notReady: 10 });
  });
});
