/** Compares with the messages of kube-apiserver v1.36 for the same expressions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer } from '@flotilla/testkit';
import { deviceSelectorFault } from './device-selector.ts';

describe('an expression that selects devices', () => {
  test('may use fields of a device, and the CEL libraries of Kubernetes', () => {
    for (const expression of [
      'device.driver == "x" && device.allowMultipleAllocations',
      'device.attributes["a.com"].b',
      'device.attributes["a.com"].b.startsWith("x")',
      'device.capacity["a.com"].mem.compareTo(quantity("1Gi")) >= 0',
      'cel.bind(dra, device.attributes["a.com"], dra.a && dra.b)',
      'device.attributes.all(d, device.attributes[d].all(k, k.matches("a.*")))',
    ]) {
      assert.equal(deviceSelectorFault(expression), undefined, expression);
    }
  });

  test('must compile', () => {
    assert.deepEqual(deviceSelectorFault('device.nope'), {
      kind: 'invalid',
      detail: "compilation failed: ERROR: <input>:1:7: undefined field 'nope'\n | device.nope\n | ......^",
    });
  });

  test('must be a boolean', () => {
    for (const [expression, type] of [
      ['device.driver', 'string'],
      ['device', 'kubernetes.DRADevice'],
      ['null', 'null_type'],
    ] as const) {
      const detail = `must evaluate to bool or the unknown type, not ${type}`;
      assert.deepEqual(deviceSelectorFault(expression), { kind: 'invalid', detail });
    }
  });

  test('must not cost too much', () => {
    const expression =
      'device.attributes.map(k, device.attributes.map(l, device.attributes.map(m, k + l + m))).size() > 1';
    assert.deepEqual(deviceSelectorFault(expression), { kind: 'forbidden', detail: 'too complex, exceeds cost limit' });
  });

  test('is refused in classes, claims and templates', async () => {
    const server = await startTestServer();
    const selectors = [{ cel: { expression: '1' } }];
    const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', selectors } }] } };
    for (const [path, body, field] of [
      ['deviceclasses', { spec: { selectors } }, 'spec.selectors[0]'],
      ['namespaces/default/resourceclaims', { spec }, 'spec.devices.requests[0].exactly.selectors[0]'],
      [
        'namespaces/default/resourceclaimtemplates',
        { spec: { spec } },
        'spec.spec.devices.requests[0].exactly.selectors[0]',
      ],
    ] as const) {
      const answer = await server.request('POST', `/apis/resource.k8s.io/v1/${path}`, {
        body: { metadata: { name: 'x' }, ...body },
      });
      const why = 'Invalid value: "1": must evaluate to bool or the unknown type, not int';
      assert.ok((answer.body['message'] as string).endsWith(`: ${field}.cel.expression: ${why}`), answer.text);
    }
  });
});
