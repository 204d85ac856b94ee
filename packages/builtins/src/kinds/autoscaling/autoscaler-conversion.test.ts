import type { KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAutoscalerV1, toAutoscalerV2 } from './autoscaler-conversion.ts';

const target = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };

test('an autoscaler of v2 comes back from v1 as it was', () => {
  const autoscaler: KubeObject = {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: { name: 'web', annotations: { mine: 'stays' } },
    spec: {
      scaleTargetRef: target,
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [
        { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '10' } } },
        { type: 'External', external: { metric: { name: 'e' }, target: { type: 'Value', value: '5' } } },
        {
          type: 'Object',
          object: { describedObject: target, target: { type: 'Value', value: '3' }, metric: { name: 'o' } },
        },
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
      behavior: { scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }] } },
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '1', averageUtilization: 42 } } },
      ],
      conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  };
  assert.deepEqual(toAutoscalerV2(toAutoscalerV1(autoscaler)), autoscaler);
});

test('v1 shows the share of cpu in fields and everything else in annotations', () => {
  const memory = {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
  };
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
  const { metadata, spec } = toAutoscalerV1({
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: { name: 'web' },
    spec: { scaleTargetRef: target, maxReplicas: 5, metrics: [memory, cpu] },
  });
  assert.deepEqual(spec, { scaleTargetRef: target, maxReplicas: 5, targetCPUUtilizationPercentage: 50 });
  assert.deepEqual(metadata.annotations, {
    'autoscaling.alpha.kubernetes.io/metrics':
      '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
  });
});

test('hostile annotations are read as nothing', () => {
  const annotations = {
    'autoscaling.alpha.kubernetes.io/metrics': '[1,null,{"type":7,"pods":{"targetAverageValue":"x"}}]',
    'autoscaling.alpha.kubernetes.io/behavior': '{"ScaleUp":[],"__proto__":{"ScaleDown":1}}',
  };
  const converted = toAutoscalerV2({
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'web', annotations },
    spec: { scaleTargetRef: target, maxReplicas: 5 },
  });
  const pods = { metric: { name: '' }, target: { type: 'AverageValue', averageValue: '0' } };
  assert.deepEqual(converted['spec'], { scaleTargetRef: target, maxReplicas: 5, metrics: [{ type: '', pods }] });
  assert.equal(converted.metadata.annotations, undefined);
});
