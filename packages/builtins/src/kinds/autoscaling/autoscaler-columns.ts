import type { KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { Columns } from '../../kind.ts';
import type { AutoscalerFields, MetricSpec, MetricStatus, MetricTarget, MetricValue } from './autoscaler-fields.ts';

const shownMetrics = 2;

export const autoscalerColumns: Columns = {
  definitions: [
    nameColumn,
    column('Reference', 'string', 'Workload that is scaled.'),
    column('Targets', 'string', 'Current and target values of the metrics.'),
    column('MinPods', 'string', 'The minimum number of replicas.'),
    column('MaxPods', 'string', 'The maximum number of replicas.'),
    column('Replicas', 'string', 'How many replicas there are.'),
    ageColumn,
  ],
  cells(object, now) {
    const { spec, status } = object as KubeObject & Pick<AutoscalerFields, 'spec'> & Partial<AutoscalerFields>;
    const { kind, name } = spec.scaleTargetRef;
    return [
      object.metadata.name ?? '',
      `${kind}/${name}`,
      metricsText(spec.metrics ?? [], status?.currentMetrics ?? []),
      spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
      spec.maxReplicas,
      status?.currentReplicas ?? 0,
      age(object, now),
    ];
  },
};

function metricsText(metrics: readonly MetricSpec[], current: readonly MetricStatus[]): string {
  if (metrics.length === 0) return '<none>';
  const texts = metrics.map((metric, index) => metricText(metric, current[index]));
  const shown = texts.slice(0, shownMetrics).join(', ');
  return texts.length > shownMetrics ? `${shown} + ${texts.length - shownMetrics} more...` : shown;
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, status?.external?.current);
    case 'Object':
      return valueText(metric.object?.target, status?.object?.current);
    case 'Pods':
      return `${amount(status?.pods?.current, 'averageValue')}/${metric.pods?.target.averageValue ?? ''}`;
    case 'Resource':
      return `${metric.resource?.name}: ${shareText(metric.resource?.target, status?.resource?.current)}`;
    case 'ContainerResource':
      return `${metric.containerResource?.name}: ${shareText(metric.containerResource?.target, status?.containerResource?.current)}`;
    default:
      return '<unknown type>';
  }
}

function valueText(target: MetricTarget | undefined, current: MetricValue | undefined): string {
  if (target?.averageValue === undefined) return `${amount(current, 'value')}/${target?.value ?? ''}`;
  return `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`;
}

function shareText(target: MetricTarget | undefined, current: MetricValue | undefined): string {
  if (target?.averageValue !== undefined) return `${amount(current, 'averageValue')}/${target.averageValue}`;
  const percent = (share: number | undefined, absent: string) => (share === undefined ? absent : `${share}%`);
  return `${percent(current?.averageUtilization, '<unknown>')}/${percent(target?.averageUtilization, '<auto>')}`;
}

/** A metric without a value shows Go's zero quantity. */
function amount(current: MetricValue | undefined, field: 'value' | 'averageValue'): string {
  return current === undefined ? '<unknown>' : (current[field] ?? '<nil>');
}
