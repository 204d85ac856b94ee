import type { ContainerStatus, Job, Pod } from '../kinds.ts';

/** What the failure policy of a Job says about a failed pod. */
export interface FailureResponse {
  readonly action: string | undefined;
  /** Whether the failure counts towards the back-off limits. */
  readonly counts: boolean;
  /** Why the whole Job fails, if the action is FailJob. */
  readonly message?: string;
}

type Rule = NonNullable<NonNullable<NonNullable<Job['spec']>['podFailurePolicy']>['rules']>[number];

/** The first rule that matches decides. */
export function responseTo(pod: Readonly<Pod>, { spec }: Readonly<Job>): FailureResponse {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { action, counts: false };
    if (action === 'FailIndex' || action === 'Count') return { action, counts: true };
    if (action === 'FailJob') {
      return { action, counts: true, message: `${cause} matching FailJob rule at index ${index}` };
    }
  }
  return { action: undefined, counts: true };
}

function causeOf({ onExitCodes, onPodConditions }: Rule, { metadata, status }: Readonly<Pod>): string | undefined {
  const name = `${metadata.namespace}/${metadata.name}`;
  if (onExitCodes !== undefined) {
    const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    const container = all.find((candidate) => matchesExitCode(candidate, onExitCodes));
    if (container === undefined) return undefined;
    return `Container ${container.name} for pod ${name} failed with exit code ${container.state?.terminated?.exitCode}`;
  }
  const condition = status?.conditions?.find((candidate) =>
    onPodConditions?.some((pattern) => pattern.type === candidate.type && pattern.status === candidate.status),
  );
  return condition && `Pod ${name} has condition ${condition.type}`;
}

function matchesExitCode(
  { name, state }: ContainerStatus,
  { containerName, operator, values = [] }: NonNullable<Rule['onExitCodes']>,
): boolean {
  const exitCode = state?.terminated?.exitCode ?? 0;
  if (exitCode === 0 || (containerName !== undefined && containerName !== name)) return false;
  return operator === 'In' ? values.includes(exitCode) : operator === 'NotIn' && !values.includes(exitCode);
}
