/** How far a placement has come, read from its own conditions. */
import {
  conditionOf,
  isTrueNow,
  placementConditionType,
  type Condition,
  type Placement,
  type PlacementAspect,
  type PlacementFamily,
  type PlacementStatus,
} from '@flotilla/api';
import { expectedAspects } from './condition-texts.ts';

/** The first condition that is not True of the current generation; undefined for a placement that is complete. */
export function firstOpenAspect(
  family: PlacementFamily,
  { metadata, spec }: Readonly<Placement>,
  status: PlacementStatus | undefined,
): PlacementAspect | undefined {
  const aspects: readonly PlacementAspect[] = ['scheduled', ...expectedAspects(spec.strategy?.applyStrategy?.type)];
  return aspects.find((aspect) => !isTrueNow(aspectOf(family, status, aspect), metadata.generation));
}

export function isRolloutComplete(
  family: PlacementFamily,
  placement: Readonly<Placement>,
  status: PlacementStatus | undefined,
): boolean {
  return firstOpenAspect(family, placement, status) === undefined;
}

export function aspectOf(
  family: PlacementFamily,
  status: PlacementStatus | undefined,
  aspect: PlacementAspect,
): Condition | undefined {
  return conditionOf(status?.conditions, placementConditionType(family.placement, aspect));
}
