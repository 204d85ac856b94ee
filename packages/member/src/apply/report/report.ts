/** What a Work's status says after a round. Pure: the same outcomes at the same moment give the same status. */
import {
  type Condition,
  type ManifestCondition,
  withoutCondition,
  type Work,
  workConditions,
  type WorkStatus,
} from '@flotilla/api';
import { byteLength, jsonEquals, stringifyJson, wireTime } from '@flotilla/kube';
import type { Outcome } from '../manifest/outcome.ts';
import { strategyOf } from '../manifest/strategy.ts';
import { withStatement, type Statement } from '../../bounded-condition.ts';
import { PreviousManifests } from './previous-manifests.ts';
import { reportManifest } from './report-manifest.ts';
import { maxWorkBytes, trimmed } from './trim-status.ts';
import {
  workAppliedStatement,
  workAvailableStatement,
  workDiffReportedStatement,
  workTrimmedStatement,
  type WorkFacts,
} from './work-conditions.ts';

export interface Report {
  readonly status: WorkStatus;
  /** False when the hub knows all of it. */
  readonly isNews: boolean;
}

export function report(work: Work, outcomes: readonly Outcome[], now: Date): Report {
  const isReportDiff = strategyOf(work).type === 'ReportDiff';
  const mirrors = work.spec?.reportBackStrategy?.type === 'Mirror';
  const facts = { generation: work.metadata.generation ?? 0, isReportDiff, outcomes };
  const previous = new PreviousManifests(work.status?.manifestConditions ?? []);
  const context = { isReportDiff, mirrors, now: wireTime(now) };
  const manifests = outcomes.map((outcome) => reportManifest(outcome, previous.of(outcome.identifier), context));
  const status = bounded(work, facts, statusOf(work, facts, manifests, context.now), context.now);
  // When a drift was last seen is news, even if the drift is the old one.
  const isDated = mirrors || outcomes.some(({ drifts = [], diffs = [] }) => drifts.length + diffs.length > 0);
  return { status, isNews: isDated || !isSame(work.status, status) };
}

function statusOf(work: Work, facts: WorkFacts, manifestConditions: ManifestCondition[], now: string): WorkStatus {
  const statements: [type: string, statement: Statement | undefined][] = [
    [workConditions.applied, workAppliedStatement(facts)],
    [workConditions.available, workAvailableStatement(facts)],
    [workConditions.diffReported, workDiffReportedStatement(facts)],
  ];
  const before: readonly Condition[] = withoutCondition(work.status?.conditions ?? [], workConditions.statusTrimmed);
  const conditions = statements.reduce(
    (so, [type, statement]) =>
      statement === undefined ? withoutCondition(so, type) : withStatement(so, statement, now),
    before,
  );
  return { conditions: [...conditions], manifestConditions };
}

/** A status that does not fit is better short than not there at all. */
function bounded(work: Work, facts: WorkFacts, status: WorkStatus, now: string): WorkStatus {
  const bytesTooMany = byteLength(stringifyJson({ ...work, status })) - maxWorkBytes;
  if (bytesTooMany <= 0) return status;
  const before = (work.status?.conditions ?? []).filter(({ type }) => type === workConditions.statusTrimmed);
  const conditions = withStatement([...status.conditions, ...before], workTrimmedStatement(facts, bytesTooMany), now);
  return trimmed({ ...status, conditions });
}

function isSame(old: WorkStatus | undefined, status: WorkStatus): boolean {
  const conditions = old?.conditions ?? [];
  const manifestConditions = old?.manifestConditions ?? [];
  return old !== undefined && jsonEquals({ conditions, manifestConditions }, status);
}
