/** What kube-apiserver v1.36 said of the same APIServices, but for the last step, which it takes and this server does not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unavailability } from './availability.ts';

const spec = { group: 'x.io', version: 'v1', service: { namespace: 'sea', name: 'ext', port: 443 } };
const service = { spec: { type: 'ClusterIP', ports: [{ port: 443, name: 'https' }] } };
const slice = { endpoints: [{ conditions: {} }], ports: [{ name: 'https', port: 8443 }] };

describe('another API server is not available', () => {
  test('without its service', () => {
    assert.deepEqual(unavailability(spec, undefined, []), {
      reason: 'ServiceNotFound',
      message: 'service/ext in "sea" is not present',
    });
  });

  test('at a port that the service does not have', () => {
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

  test('where everything is there, because this server asks no other one', () => {
    const { reason, message } = unavailability(spec, service, [slice]);
    assert.equal(reason, 'FailedDiscoveryCheck');
    assert.match(message, /^failing or missing response from https:\/\/ext\.sea\.svc:443\/apis\/x\.io\/v1: /);
  });
});
