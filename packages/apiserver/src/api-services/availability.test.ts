/** Messages as recorded from kube-apiserver v1.36, except the last: this server does not send the discovery request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unavailability } from './availability.ts';

const spec = { group: 'x.io', version: 'v1', service: { namespace: 'sea', name: 'ext', port: 443 } };
const service = { spec: { type: 'ClusterIP', ports: [{ port: 443, name: 'https' }] } };
const slice = { endpoints: [{ conditions: {} }], ports: [{ name: 'https', port: 8443 }] };

describe('an aggregated API server is unavailable', () => {
  test('without its service', () => {
    assert.deepEqual(unavailability(spec, undefined, []), {
      reason: 'ServiceNotFound',
      message: 'service/ext in "sea" is not present',
    });
  });

  test('if the service does not have the port', () => {
    const other = { spec: { ...service.spec, ports: [{ port: 80 }] } };
    assert.deepEqual(unavailability(spec, other, [slice]), {
      reason: 'ServicePortError',
      message: 'service/ext in "sea" is not listening on port 443',
    });
  });

  test('without endpoints', () => {
    assert.deepEqual(unavailability(spec, service, []), {
      reason: 'EndpointsNotFound',
      message: 'cannot find endpointslices for service/ext in "sea"',
    });
    const unready = { ...slice, endpoints: [{ conditions: { ready: false } }] };
    assert.deepEqual(unavailability(spec, service, [unready]), {
      reason: 'MissingEndpoints',
      message: 'endpointslices for service/ext in "sea" have no addresses with port name "https"',
    });
  });

  test('even with ready endpoints, because this server sends no requests to other servers', () => {
    const { reason, message } = unavailability(spec, service, [slice]);
    assert.equal(reason, 'FailedDiscoveryCheck');
    assert.match(message, /^failing or missing response from https:\/\/ext\.sea\.svc:443\/apis\/x\.io\/v1: /);
  });
});
