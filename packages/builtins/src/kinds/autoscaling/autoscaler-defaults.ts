import { cpuMetric, defaultCpuUtilization, type AutoscalerSpec, type ScalingRules } from './autoscaler-fields.ts';

export function setAutoscalerDefaults(spec: AutoscalerSpec): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [cpuMetric(defaultCpuUtilization)];
  const { behavior } = spec;
  if (behavior === undefined) return;
  behavior.scaleUp = withDefaults(behavior.scaleUp, scaleUpRules);
  behavior.scaleDown = withDefaults(behavior.scaleDown, scaleDownRules);
}

/** Four pods or a doubling, whichever is more, every 15 seconds. */
const scaleUpRules: ScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

/** How long to wait before scaling down is a setting of the controller. */
const scaleDownRules: ScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

function withDefaults(rules: ScalingRules = {}, defaults: ScalingRules): ScalingRules {
  return { ...structuredClone(defaults), ...rules };
}
