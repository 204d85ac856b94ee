/** The conditions of a placement on all clusters together. */
import {
  placementConditionType,
  perClusterConditions,
  withCondition,
  type Condition,
  type ConditionState,
  type PerClusterStatus,
  type Placement,
  type PlacementAspect,
  type PlacementFamily,
} from '@flotilla/api';
import { noOverrideText, rolloutTexts, type RolloutAspect, type Text } from './condition-texts.ts';

/** A placement's conditions while its new status is made. */
export class PlacementConditions {
  readonly #family: PlacementFamily;
  readonly #generation: number;
  readonly #now: Date;
  #list: readonly Condition[];

  constructor(family: PlacementFamily, { metadata, status }: Readonly<Placement>, now: Date) {
    this.#family = family;
    this.#generation = metadata.generation ?? 0;
    this.#now = now;
    this.#list = status?.conditions ?? [];
  }

  /** Ours in a fixed order, whichever controller was first to write its own; others as they were. */
  get list(): Condition[] {
    const types = inOrder.map((aspect) => this.#typeOf(aspect));
    const positionOf = ({ type }: Condition): number => {
      const position = types.indexOf(type);
      return position < 0 ? types.length : position;
    };
    return this.#list.toSorted((a, b) => positionOf(a) - positionOf(b));
  }

  set(aspect: PlacementAspect, status: Condition['status'], { reason, message }: Text): void {
    const type = this.#typeOf(aspect);
    const state: ConditionState = { type, status, observedGeneration: this.#generation, reason, message };
    this.#list = withCondition(this.#list, state, this.#now);
  }

  remove(aspects: readonly PlacementAspect[]): void {
    const types = new Set(aspects.map((aspect) => this.#typeOf(aspect)));
    this.#list = this.#list.filter(({ type }) => !types.has(type));
  }

  /** Sets these, up to the first that is not True on every cluster, and removes the others. */
  setRollout(expected: readonly RolloutAspect[], clusters: readonly PerClusterStatus[]): void {
    const counts = countConditions(clusters);
    const set = new Set<RolloutAspect>();
    for (const aspect of expected) {
      set.add(aspect);
      const { Unknown, False, True } = counts.get(perClusterConditions[aspect]) ?? none;
      const texts = rolloutTexts[aspect];
      if (Unknown > 0) this.set(aspect, 'Unknown', texts.unknown(Unknown));
      else if (False > 0) this.set(aspect, 'False', texts.false(False));
      else if (aspect === 'overridden' && !clusters.some(hasOverride)) this.set(aspect, 'True', noOverrideText);
      else this.set(aspect, 'True', texts.true(True));
      if (Unknown > 0 || False > 0) break;
    }
    this.remove(rolloutAspects.filter((aspect) => !set.has(aspect)));
  }

  #typeOf(aspect: PlacementAspect): string {
    return placementConditionType(this.#family.placement, aspect);
  }
}

export const rolloutAspects = Object.keys(rolloutTexts) as readonly RolloutAspect[];

const inOrder: readonly PlacementAspect[] = ['scheduled', ...rolloutAspects, 'statusSynced', 'statusTrimmed'];

type Counts = Record<Condition['status'], number>;

const none: Counts = { True: 0, False: 0, Unknown: 0 };

function countConditions(clusters: readonly PerClusterStatus[]): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const { conditions = [] } of clusters) {
    for (const { type, status } of conditions) {
      let ofType = counts.get(type);
      if (ofType === undefined) counts.set(type, (ofType = { ...none }));
      ofType[status]++;
    }
  }
  return counts;
}

function hasOverride({ applicableResourceOverrides, applicableClusterResourceOverrides }: PerClusterStatus): boolean {
  return (applicableResourceOverrides ?? []).length > 0 || (applicableClusterResourceOverrides ?? []).length > 0;
}
