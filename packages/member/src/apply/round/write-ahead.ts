/**
 * Before it applies anything, the agent writes down which objects it is about to apply: in the status of the Work, or in the
 * AppliedWork if that is new, which saves a write to the hub. After a crash, an agent reads there which objects may be on the
 * member, and can remove those that the Work no longer has.
 */
import {
  type AppliedWork,
  conditionOf,
  firstManifestsAnnotation,
  manifestAppliedReasons,
  type ManifestCondition,
  manifestConditions,
  type Work,
  workConditions,
  type WorkResourceIdentifier,
  type WorkStatus,
} from '@flotilla/api';
import { isJsonObject, parseJson, stringifyJson, wireTime, type JsonObject } from '@flotilla/kube';
import { boundedCondition } from '../../bounded-condition.ts';
import { identifierOf, identityOf } from '../manifest/identifier.ts';
import type { Prepared } from './prepare-manifests.ts';
import { strategyOf } from '../manifest/strategy.ts';

export interface WriteAhead {
  readonly status: WorkStatus;
  /** Objects of an earlier generation that this one does not have. */
  readonly leftOvers: readonly WorkResourceIdentifier[];
}

interface WriteAheadContext {
  readonly now: Date;
  readonly appliedWork: AppliedWork | undefined;
}

/** Undefined if the objects of this generation are written down already, or if nothing will be applied. */
export function writeAhead(
  work: Work,
  prepared: readonly Prepared[],
  { now, appliedWork }: WriteAheadContext,
): WriteAhead | undefined {
  const { generation = 0 } = work.metadata;
  const conditions = work.status?.conditions ?? [];
  const applied = conditionOf(conditions, workConditions.applied);
  const wasTried = applied !== undefined && (applied.observedGeneration ?? 0) === generation;
  if (wasTried || strategyOf(work).type === 'ReportDiff') return undefined;

  const first = appliedWork?.metadata.annotations?.[firstManifestsAnnotation];
  // Usual between the first round and its report. Reading the annotation takes longer than printing it.
  if (first !== undefined && first === firstManifests(work, prepared)) return undefined;
  const before = isReported(work)
    ? (work.status?.manifestConditions ?? [])
    : manifestsIn(first).map((identifier) => preparing(identifier, generation, wireTime(now)));
  const known = new Map(before.map((entry) => [identityOf(entry.identifier), entry]));
  known.delete(undefined);
  const entries = prepared.map(
    ({ identifier }) => known.get(identityOf(identifier)) ?? preparing(identifier, generation, wireTime(now)),
  );
  const wanted = new Set(entries.map(({ identifier }) => identityOf(identifier)));
  const leftOvers = [...known.values()].filter((entry) => !wanted.has(identityOf(entry.identifier)) && mayExist(entry));
  const isWritten = !isReported(work) && leftOvers.length === 0 && wanted.isSubsetOf(new Set(known.keys()));
  if (isWritten) return undefined;
  return {
    status: { conditions: [...conditions], manifestConditions: entries },
    leftOvers: leftOvers.map(({ identifier }) => identifier),
  };
}

/** Larger annotations may leave no room for others: Kubernetes allows 256 KiB for all of them. */
const maxAnnotationLength = 32_768;

/**
 * The annotation of a new AppliedWork that makes the status unnecessary. Undefined if the status has to be written, because
 * it tells more or because there are too many manifests.
 */
export function firstManifests(work: Work, prepared: readonly Prepared[]): string | undefined {
  if (isReported(work)) return undefined;
  const text = stringifyJson(prepared.map(({ identifier }) => identifier));
  return text.length <= maxAnnotationLength ? text : undefined;
}

function isReported({ status }: Work): boolean {
  return (status?.conditions ?? []).length > 0 || (status?.manifestConditions ?? []).length > 0;
}

/** Users can write annotations: what does not name an object is ignored when left-overs are removed. */
function manifestsIn(text: string | undefined): WorkResourceIdentifier[] {
  if (text === undefined) return [];
  try {
    const { value } = parseJson(text);
    return Array.isArray(value) ? value.filter(isJsonObject).map(identifierIn) : [];
  } catch {
    return [];
  }
}

function identifierIn(value: JsonObject, ordinal: number): WorkResourceIdentifier {
  const text = (field: string): string => (typeof value[field] === 'string' ? value[field] : '');
  const gvk = { group: text('group'), version: text('version'), kind: text('kind') };
  return identifierOf(ordinal, { gvk, resource: text('resource'), namespace: text('namespace'), name: text('name') });
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
