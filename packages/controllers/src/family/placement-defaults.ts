/** What an absent field of a placement means. Controllers read placements that passed no admission, too. */
import type { ApplyStrategy, PlacementPolicy, PlacementSpec, RollingUpdate, RolloutStrategy } from '@flotilla/api';

export interface CompleteStrategy extends RolloutStrategy {
  readonly applyStrategy: ApplyStrategy;
}

export interface CompletePlacementSpec extends PlacementSpec {
  readonly policy: PlacementPolicy;
  readonly strategy: CompleteStrategy;
}

const pickAll: PlacementPolicy = { placementType: 'PickAll' };

export const defaultRollingUpdate: RollingUpdate = {
  maxUnavailable: '25%',
  maxSurge: '25%',
  unavailablePeriodSeconds: 60,
};

/** The spec with every default. Fields that it has stay as they are. */
export function withPlacementDefaults(spec: PlacementSpec): CompletePlacementSpec {
  return {
    ...spec,
    policy: spec.policy === undefined ? pickAll : withPolicyDefaults(spec.policy),
    strategy: withStrategyDefaults(spec.strategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
  };
}

function withPolicyDefaults(policy: PlacementPolicy): PlacementPolicy {
  const { topologySpreadConstraints, tolerations } = policy;
  return {
    ...policy,
    placementType: policy.placementType ?? 'PickAll',
    ...(topologySpreadConstraints && {
      topologySpreadConstraints: topologySpreadConstraints.map((constraint) => ({
        ...constraint,
        maxSkew: constraint.maxSkew ?? 1,
        whenUnsatisfiable: constraint.whenUnsatisfiable ?? 'DoNotSchedule',
      })),
    }),
    ...(tolerations && {
      tolerations: tolerations.map((toleration) => ({ ...toleration, operator: toleration.operator ?? 'Equal' })),
    }),
  };
}

function withStrategyDefaults(strategy: RolloutStrategy | undefined): CompleteStrategy {
  const { type = 'RollingUpdate', rollingUpdate, applyStrategy } = strategy ?? {};
  return {
    ...strategy,
    type,
    ...(type === 'RollingUpdate' && { rollingUpdate: { ...defaultRollingUpdate, ...rollingUpdate } }),
    applyStrategy: withApplyDefaults(applyStrategy),
  };
}

function withApplyDefaults(strategy: ApplyStrategy | undefined): ApplyStrategy {
  const complete: ApplyStrategy = {
    type: 'ClientSideApply',
    comparisonOption: 'PartialComparison',
    whenToApply: 'Always',
    whenToTakeOver: 'Always',
    ...strategy,
  };
  if (complete.type !== 'ServerSideApply') return complete;
  return { ...complete, serverSideApplyConfig: { force: false, ...complete.serverSideApplyConfig } };
}
