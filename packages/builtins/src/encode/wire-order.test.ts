import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { structType } from '../table/type-table.ts';
import { inWireOrder } from './wire-order.ts';

const deployment = structType('apps/v1', 'Deployment');

test('moves fields that were added late to their place', () => {
  const object = JSON.parse(
    '{"spec":{"template":{"spec":{"dnsPolicy":"ClusterFirst","containers":[{"image":"i","name":"c"}]}},"replicas":1},' +
      '"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"b":"2","a":"1"},"name":"x"}}',
  ) as JsonObject;
  assert.equal(
    JSON.stringify(inWireOrder(deployment, object)),
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"x","labels":{"a":"1","b":"2"}},' +
      '"spec":{"replicas":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}],"dnsPolicy":"ClusterFirst"}}}}',
  );
});

test('returns an object that is in order as it is', () => {
  const object = { kind: 'Deployment', metadata: { name: 'x' }, spec: { replicas: 1, selector: null } };
  assert.equal(inWireOrder(deployment, object), object);
});

test('does not change its argument', () => {
  const object = { spec: { selector: null, replicas: 1 } };
  assert.notEqual(inWireOrder(deployment, object), object);
  assert.deepEqual(Object.keys(object.spec), ['selector', 'replicas']);
});

test('keeps a key called __proto__ as data', () => {
  const configMap = structType('core/v1', 'ConfigMap');
  const object = JSON.parse('{"data":{"z":"1","__proto__":"2"}}') as JsonObject;
  assert.equal(JSON.stringify(inWireOrder(configMap, object)), '{"data":{"__proto__":"2","z":"1"}}');
});
