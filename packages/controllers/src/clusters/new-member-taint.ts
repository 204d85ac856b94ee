/** A taint for every new member, so that no placement takes a cluster before an administrator removes it. */
import type { MemberCluster, Taint } from '@flotilla/api';
import { labelValueProblems, qualifiedNameProblems } from '@flotilla/kube';

/** The schema of MemberClusters allows no more. */
const maxTaints = 100;

/** The taints of a new member; undefined if they stay as they are. A taint of its own with the same key wins. */
export function taintsOfNew({ spec }: MemberCluster, taint: Taint | undefined): Taint[] | undefined {
  const { taints = [] } = spec;
  if (taint === undefined || taints.length >= maxTaints) return undefined;
  return taints.some(({ key, effect }) => key === taint.key && effect === taint.effect)
    ? undefined
    : [...taints, taint];
}

export type ParsedTaint = { readonly taint: Taint } | { readonly problem: string };

/** Reads `KEY=VALUE:NoSchedule` or `KEY:NoSchedule`, as kubectl writes taints. */
export function parseTaint(text: string): ParsedTaint {
  const {
    key = '',
    value,
    effect,
  } = /^(?<key>[^=:]*)(?:=(?<value>[^=:]*))?:(?<effect>[^=:]*)$/.exec(text)?.groups ?? {};
  if (effect !== 'NoSchedule') return { problem: `"${text}" is not a taint; write KEY=VALUE:NoSchedule` };
  const [problem] = [...qualifiedNameProblems(key), ...labelValueProblems(value ?? '')];
  if (problem !== undefined) return { problem: `"${text}" is not a taint: ${problem}` };
  return { taint: { key, ...(value !== undefined && { value }), effect } };
}
