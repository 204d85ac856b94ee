import type { AuditLevel } from '../audit-level.ts';
import type { AuditStage } from '../audit-stage.ts';
import { ruleMatches, type AuditedAccess } from './rule-matches.ts';

/** Which requests are recorded, and how much of them: the first rule that matches decides. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** Every part of a rule must match. An empty list matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** The empty string stands for objects outside of namespaces. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** Absent: as the policy says. */
  readonly omitManagedFields?: boolean;
}

export interface GroupResources {
  readonly group: string;
  /** `pods`, `pods/log`, `*`, `pods/*` or `*\/scale`; empty: all of the group. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** What the policy says about one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitsManagedFields: boolean;
}

const unrecorded: AuditDecision = { level: 'None', omitStages: new Set(), omitsManagedFields: false };

/** The policy as a function. It makes the decision of each rule once. */
export function auditDecisions({ rules, omitStages, omitManagedFields }: AuditPolicy) {
  const decided = rules.map((rule) => ({
    rule,
    decision: {
      level: rule.level,
      omitStages: new Set([...omitStages, ...rule.omitStages]),
      omitsManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  return (access: AuditedAccess): AuditDecision =>
    decided.find(({ rule }) => ruleMatches(rule, access))?.decision ?? unrecorded;
}
