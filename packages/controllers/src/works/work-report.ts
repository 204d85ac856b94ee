/** What an agent says about a Work. */
import { conditionOf, workConditions, type Condition, type ManifestCondition, type Work } from '@flotilla/api';
import { jsonEquals, type JsonValue } from '@flotilla/kube';

/** The condition, if the agent has decided it for the current generation. */
export function currentReport({ metadata, status }: Readonly<Work>, type: string): Condition | undefined {
  const condition = conditionOf(status?.conditions, type);
  const isCurrent = condition !== undefined && (condition.observedGeneration ?? 0) === (metadata.generation ?? 0);
  return isCurrent && condition.status !== 'Unknown' ? condition : undefined;
}

/** Whether the agent has applied, or compared, the current generation. */
export function isReported(work: Readonly<Work>): boolean {
  const isDiff = work.spec?.applyStrategy?.type === 'ReportDiff';
  return currentReport(work, isDiff ? workConditions.diffReported : workConditions.applied) !== undefined;
}

/** Whether two states of a Work report the same to the binding. */
export function isSameReport(now: Readonly<Work>, old: Readonly<Work>): boolean {
  if (now.status === old.status) return true;
  const [a, b] = [now.status?.manifestConditions ?? [], old.status?.manifestConditions ?? []];
  return (
    jsonEquals(now.status?.conditions ?? [], old.status?.conditions ?? []) &&
    a.length === b.length &&
    a.every((manifest, index) => jsonEquals(collected(manifest), collected(b[index])))
  );
}

/** Statuses that agents mirror are not for the binding. */
function collected(manifest: ManifestCondition | undefined): JsonValue {
  const { identifier, conditions = [], driftDetails = null, diffDetails = null } = manifest ?? {};
  return [identifier ?? null, conditions, driftDetails, diffDetails];
}
