/**
 * Before anything is applied the hub is told what will be tried: whoever comes after a crash knows then what may be on the
 * member, and can remove what the Work no longer has.
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
import { written } from '../../bounded-condition.ts';
import { identityOf } from '../manifest/identifier.ts';
import type { Prepared } from './prepare-manifests.ts';
import { strategyOf } from '../manifest/strategy.ts';

export interface WriteAhead {
  readonly status: WorkStatus;
  /** What an earlier generation brought to the member and this one does not have. */
  readonly leftOvers: readonly WorkResourceIdentifier[];
}

/** Undefined where nothing needs to be said first: this generation was tried before, or nothing will be applied. */
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
  const statement = {
    type: manifestConditions.applied,
    status: 'False',
    reason: manifestAppliedReasons.preparing,
    message: 'the manifest is about to be applied',
    observedGeneration: generation,
  } as const;
  return { identifier, conditions: [written(statement, now)] };
}

/** It was applied, or a round that was to apply it did not come to its end. */
function mayExist({ conditions }: ManifestCondition): boolean {
  const applied = conditionOf(conditions, manifestConditions.applied);
  return applied?.status === 'True' || applied?.reason === manifestAppliedReasons.preparing;
}
