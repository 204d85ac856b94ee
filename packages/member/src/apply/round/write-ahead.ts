/**
 * Before it applies anything, the agent writes to the hub which objects it is about to apply. After a crash, an agent reads
 * there which objects may be on the member, and can remove those that the Work no longer has.
 */
import {
  conditionOf,
  manifestAppliedReasons,
  type ManifestCondition,
  manifestConditions,
  type Work,
  workConditions,
  type WorkResourceIdentifier,
  type WorkStatus,
} from '@flotilla/api';
import { wireTime } from '@flotilla/kube';
import { boundedCondition } from '../../bounded-condition.ts';
import { identityOf } from '../manifest/identifier.ts';
import type { Prepared } from './prepare-manifests.ts';
import { strategyOf } from '../manifest/strategy.ts';

export interface WriteAhead {
  readonly status: WorkStatus;
  /** Objects of an earlier generation that this one does not have. */
  readonly leftOvers: readonly WorkResourceIdentifier[];
}

/** Undefined if this generation was tried before, or if nothing will be applied. */
export function writeAhead(work: Work, prepared: readonly Prepared[], now: Date): WriteAhead | undefined {
  const { generation = 0 } = work.metadata;
  const conditions = work.status?.conditions ?? [];
  const before = work.status?.manifestConditions ?? [];
  const applied = conditionOf(conditions, workConditions.applied);
  const wasTried = applied !== undefined && (applied.observedGeneration ?? 0) === generation;
  if (wasTried || strategyOf(work).type === 'ReportDiff') return undefined;

  const known = new Map(before.map((entry) => [identityOf(entry.identifier), entry]));
  known.delete(undefined);
  const entries = prepared.map(
    ({ identifier }) => known.get(identityOf(identifier)) ?? preparing(identifier, generation, wireTime(now)),
  );
  const wanted = new Set(entries.map(({ identifier }) => identityOf(identifier)));
  const leftOvers = [...known.values()].filter((entry) => !wanted.has(identityOf(entry.identifier)) && mayExist(entry));
  return {
    status: { conditions: [...conditions], manifestConditions: entries },
    leftOvers: leftOvers.map(({ identifier }) => identifier),
  };
}

function preparing(identifier: WorkResourceIdentifier, generation: number, now: string): ManifestCondition {
  const state = {
    type: manifestConditions.applied,
    status: 'False',
    reason: manifestAppliedReasons.preparing,
    message: 'the manifest is about to be applied',
    observedGeneration: generation,
  } as const;
  return { identifier, conditions: [boundedCondition(state, now)] };
}

/** It was applied, or the round that was to apply it did not finish. */
function mayExist({ conditions }: ManifestCondition): boolean {
  const applied = conditionOf(conditions, manifestConditions.applied);
  return applied?.status === 'True' || applied?.reason === manifestAppliedReasons.preparing;
}
