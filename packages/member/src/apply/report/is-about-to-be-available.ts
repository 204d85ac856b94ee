import { conditionOf, workConditions, type Work } from '@flotilla/api';
import { isAvailable, type Outcome } from '../manifest/outcome.ts';

/**
 * Whether the first report of a generation can wait: everything is applied, and only the controllers of some objects have not answered. A
 * Deployment without pods to wait for is available milliseconds later, and a report before that would be one write too many on the hub.
 */
export function isAboutToBeAvailable({ metadata, status }: Work, outcomes: readonly Outcome[]): boolean {
  const { generation = 0 } = metadata;
  if (conditionOf(status?.conditions, workConditions.applied)?.observedGeneration === generation) return false;
  return outcomes.every(isOnItsWay) && !outcomes.every(isAvailable);
}

function isOnItsWay({ result, drifts = [], availability }: Outcome): boolean {
  return result === 'Applied' && drifts.length === 0 && availability?.result !== 'Failed';
}
