import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint, EndpointSlice } from '../network-kinds.ts';
import { endpointKey, inHashOrder } from './endpoint-identity.ts';
import { packEndpoints } from './pack-endpoints.ts';

const endpoint = (number: number, ready = true): Endpoint => ({
  addresses: [`10.0.${number >> 8}.${number & 255}`],
  conditions: { ready },
});

const range = (start: number, end: number): Endpoint[] =>
  Array.from({ length: end - start }, (_, at) => endpoint(start + at));

const wanted = (endpoints: readonly Endpoint[]) => new Map(endpoints.map((one) => [endpointKey(one), one]));

const slice = (name: string, endpoints: Endpoint[]): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name },
  endpoints,
});

/** `name count`, with `*` for slices that are written. */
function pack(existing: readonly EndpointSlice[], endpoints: readonly Endpoint[]): string[] {
  return packEndpoints(existing, wanted(endpoints)).map(
    ({ existing: before, endpoints: kept, isChanged }) =>
      `${before?.metadata.name ?? 'new'} ${kept.length}${isChanged ? '*' : ''}`,
  );
}

describe('endpoints in slices', () => {
  test('new slices hold a hundred each', () => {
    assert.deepEqual(pack([], range(0, 250)), ['new 100*', 'new 100*', 'new 50*']);
  });

  test('nothing is written if nothing changed', () => {
    assert.deepEqual(pack([slice('a', range(0, 60)), slice('b', range(60, 70))], range(0, 70)), ['a 60', 'b 10']);
  });

  test('a change of state writes only the slice of that endpoint', () => {
    const existing = [slice('a', range(0, 60)), slice('b', [...range(60, 69), endpoint(69, false)])];
    assert.deepEqual(pack(existing, range(0, 70)), ['a 60', 'b 10*']);
  });

  test('new endpoints fill slices that change anyway, the fullest first', () => {
    const existing = [slice('a', range(0, 61)), slice('b', range(100, 191)), slice('c', range(200, 290))];
    const endpoints = [...range(0, 60), ...range(100, 190), ...range(200, 290), ...range(300, 320)];
    assert.deepEqual(pack(existing, endpoints), ['a 70*', 'b 100*', 'c 90']);
  });

  test('new endpoints go where they fit best, if no slice changes', () => {
    const existing = [slice('a', range(0, 60)), slice('b', range(100, 190)), slice('c', range(200, 295))];
    const endpoints = [...range(0, 60), ...range(100, 190), ...range(200, 295), ...range(300, 308)];
    assert.deepEqual(pack(existing, endpoints), ['a 60', 'b 98*', 'c 95']);
  });

  test('a slice without wanted endpoints is empty and changed', () => {
    assert.deepEqual(pack([slice('a', range(0, 2)), slice('b', range(2, 4))], range(0, 2)), ['a 2', 'b 0*']);
  });

  test('ports have the order of Kubernetes', () => {
    const names = inHashOrder(
      [
        { name: 'http', port: 80, protocol: 'TCP' },
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'metrics', port: 9090, protocol: 'TCP', appProtocol: 'http' },
        { name: '', port: 1, protocol: 'SCTP' },
      ],
      'discovery/v1',
    ).map(({ name }) => name);
    assert.deepEqual(names, ['dns', '', 'metrics', 'http']);
  });
});
