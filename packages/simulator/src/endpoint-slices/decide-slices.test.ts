import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from '../kinds.ts';
import type { EndpointSlice, Service } from '../network-kinds.ts';
import { decideSlices } from './decide-slices.ts';

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop', uid: 'service', resourceVersion: '7' },
  spec: { selector: { app: 'web' }, clusterIP: '10.0.0.1', ipFamilies: ['IPv4', 'IPv6'], ports: [{ targetPort: 80 }] },
};

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'shop', uid: 'pod' },
  spec: { nodeName: 'n1' },
  status: { phase: 'Running', podIPs: [{ ip: '10.1.0.1' }, { ip: '2001:DB8:0::1' }] },
};

const nodes = new Map([['n1', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }]]);

function slice(name: string, addressType: string, owner = 'service'): EndpointSlice {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: owner }];
  const metadata = { name, namespace: 'shop', uid: `uid-${name}`, ownerReferences };
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType, endpoints: null };
}

/** `verb name type addresses`, with `?` for the name of a new slice. */
function decided(slices: readonly EndpointSlice[], change: NonNullable<Service['spec']> = {}): string[] {
  const changed = { ...service, spec: { ...service.spec, ...change } };
  const { steps } = decideSlices({ service: changed, pods: [pod], slices, nodes });
  return steps.flat().map((write) => {
    if (write.verb === 'delete') return `delete ${write.key.name}`;
    if (write.verb === 'patch' || write.verb === 'json-patch') return write.verb;
    const { metadata, addressType, endpoints } = write.object as EndpointSlice;
    const name = write.verb === 'create' ? '?' : metadata.name;
    const addresses = (endpoints ?? []).flatMap((endpoint) => endpoint.addresses);
    return [write.verb, name, addressType, ...addresses].join(' ');
  });
}

describe('the slices of a Service', () => {
  test('hold one family of addresses each', () => {
    assert.deepEqual(decided([]), ['create ? IPv4 10.1.0.1', 'create ? IPv6 2001:db8::1']);
  });

  test('of a family that the Service no longer has are deleted', () => {
    const ipFamilies = ['IPv6'];
    assert.deepEqual(decided([slice('four', 'IPv4'), slice('six', 'IPv6')], { ipFamilies }), [
      'update six IPv6 2001:db8::1',
      'delete four',
    ]);
  });

  test('that an earlier Service of the same name left are deleted, not taken over', () => {
    const ipFamilies = ['IPv4'];
    assert.deepEqual(decided([slice('left', 'IPv4', 'earlier')], { ipFamilies }), [
      'create ? IPv4 10.1.0.1',
      'delete left',
    ]);
  });

  test('get names that no other slice has', () => {
    const names = (slices: readonly EndpointSlice[]): (string | undefined)[] =>
      decideSlices({ service, pods: [pod], slices, nodes })
        .steps.flat()
        .flatMap((write) => (write.verb === 'create' ? [write.object.metadata.name] : []));
    const [first = '', second] = names([]);
    assert.notEqual(first, second);
    assert.ok(!names([slice(first, 'IPv4', 'earlier')]).includes(first));
  });
});
