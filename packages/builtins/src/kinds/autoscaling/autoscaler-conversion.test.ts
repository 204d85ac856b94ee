import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { autoscalerToV1, autoscalerToV2, dropRoundTripAnnotations } from './autoscaler-conversion.ts';

interface Recorded {
  readonly to: 'v1' | 'v2';
  readonly given: KubeObject;
  /** The object as kube-apiserver v1.36 serves it in the other version. */
  readonly answered: KubeObject;
}

const recorded = JSON.parse(
  readFileSync(new URL('./recorded/conversions.json', import.meta.url), 'utf8'),
) as Recorded[];

describe('an autoscaler', () => {
  for (const { to, given, answered } of recorded) {
    test(`called ${given.metadata.name} converts to ${to} as in kube-apiserver`, () => {
      const converted = to === 'v1' ? autoscalerToV1(given) : autoscalerToV2(given);
      assert.equal(JSON.stringify(converted), JSON.stringify(answered));
    });
  }

  test('has the same spec after a round trip through version 1, except for the order of its metrics', () => {
    for (const { given } of recorded.filter(({ to }) => to === 'v1')) {
      const back = autoscalerToV2(autoscalerToV1(given));
      assert.deepEqual(specOf(back), specOf(given));
    }
  });

  test('may have a behavior with field names in any letter case', () => {
    const behavior = '{"scaleup":{"POLICIES":[{"Type":"Pods","value":1,"PeriodSeconds":60}]}}';
    const { spec } = autoscalerToV2(versionOne({ 'autoscaling.alpha.kubernetes.io/behavior': behavior }));
    assert.deepEqual((spec as JsonObject)['behavior'], {
      scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
    });
  });

  test('ignores annotations that cannot be decoded', () => {
    const prefix = 'autoscaling.alpha.kubernetes.io';
    const { spec, metadata } = autoscalerToV2(
      versionOne({
        [`${prefix}/metrics`]: '[1,null,{"type":7,"pods":{"targetAverageValue":"x"}}]',
        [`${prefix}/behavior`]: '{"ScaleUp":[],"__proto__":{"ScaleDown":1}}',
      }),
    );
    const { metrics, behavior } = spec as JsonObject;
    const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } };
    assert.deepEqual(metrics, [{ type: 'Resource', resource: cpu }]);
    assert.equal(behavior, undefined);
    assert.equal(metadata.annotations, undefined);
  });

  test('keeps its other annotations, and none that conversion wrote', () => {
    const object = versionOne({ 'autoscaling.alpha.kubernetes.io/metrics': 'nonsense', mine: 'stays' });
    assert.deepEqual(autoscalerToV2(object).metadata.annotations, { mine: 'stays' });
    dropRoundTripAnnotations(object.metadata);
    assert.deepEqual(object.metadata.annotations, { mine: 'stays' });
  });
});

function versionOne(annotations: Record<string, string>): KubeObject {
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'x', annotations },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
  };
}

function specOf(object: KubeObject): unknown {
  const spec = object['spec'] as JsonObject;
  const metrics = spec['metrics'] as JsonObject[];
  return { ...spec, metrics: metrics.map((metric) => JSON.stringify(metric)).sort() };
}
