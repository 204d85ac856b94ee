import { type Condition, conditionOf, type Work, workConditions } from '@flotilla/api';
import type { MetricsRegistry } from '@flotilla/kube';

const stages = [workConditions.applied, workConditions.available, workConditions.diffReported] as const;

const stageLabels = ['apply_status', 'availability_status', 'diff_reporting_status'];

/** Counts results of rounds under KubeFleet's metric names. Call the returned function with each Work after its round. */
export function workMetrics(registry: MetricsRegistry): (work: Pick<Work, 'status'>) => void {
  const works = registry.counter({
    name: 'fleet_work_processing_requests_total',
    help: 'Number of times Works were processed, by result',
    labels: stageLabels,
  });
  const manifests = registry.counter({
    name: 'fleet_manifest_processing_requests_total',
    help: 'Number of times manifests were processed, by result',
    labels: [...stageLabels, 'drift_detection_status', 'diff_detection_status'],
  });
  return ({ status }) => {
    works.with(...stages.map((type) => labelOf(status?.conditions, type))).add();
    for (const { conditions, driftDetails, diffDetails } of status?.manifestConditions ?? []) {
      const found = [driftDetails, diffDetails].map((details) => (details === undefined ? 'NotFound' : 'Found'));
      manifests.with(...stages.map((type) => labelOf(conditions, type)), ...found).add();
    }
  };
}

function labelOf(conditions: readonly Condition[] | undefined, type: string): string {
  const condition = conditionOf(conditions, type);
  if (condition === undefined) return 'Skipped';
  return condition.status === 'Unknown' ? 'Unknown' : condition.reason;
}
