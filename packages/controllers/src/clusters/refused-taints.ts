import type { Taint } from '@flotilla/api';
import { aggregate, labelValueProblems, qualifiedNameProblems } from '@flotilla/kube';
import { structText } from '../family/go-text.ts';

/** Why the taints of a MemberCluster must not be written, in KubeFleet's words; undefined if they may. */
export function refusedTaints(taints: readonly Taint[]): string | undefined {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { key, value = '', effect } of taints) {
    const shown = structText({ Key: key, Value: value, Effect: effect });
    for (const problem of qualifiedNameProblems(key)) problems.push(`invalid taint key ${shown}: ${problem}`);
    for (const problem of labelValueProblems(value)) problems.push(`invalid taint value ${shown}: ${problem}`);
    if (seen.has(shown)) problems.push(`taint ${shown} already exists, taints must be unique`);
    seen.add(shown);
  }
  return problems.length === 0 ? undefined : aggregate(problems);
}
