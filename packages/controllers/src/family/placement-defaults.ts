/**
 * What an absent field of a placement means. Controllers read placements that passed no admission, and admission reads
 * placements that passed no validation: a field of a wrong type stays as it is.
 */
import type { ApplyStrategy, PlacementPolicy, PlacementSpec, RollingUpdate, RolloutStrategy } from '@flotilla/api';
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';

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

export const defaultApplyStrategy: ApplyStrategy = {
  type: 'ClientSideApply',
  comparisonOption: 'PartialComparison',
  whenToApply: 'Always',
  whenToTakeOver: 'Always',
};

/** The spec with every default. Fields that it has stay as they are. */
export function withPlacementDefaults(spec: PlacementSpec): CompletePlacementSpec {
  return {
    ...spec,
    policy: (spec.policy === undefined ? pickAll : withPolicyDefaults(spec.policy)) as PlacementPolicy,
    strategy: withStrategyDefaults(spec.strategy ?? {}) as JsonObject & CompleteStrategy,
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
  };
}

function withPolicyDefaults(policy: JsonValue): JsonValue {
  if (!isJsonObject(policy)) return policy;
  const { topologySpreadConstraints: spread, tolerations } = policy;
  return {
    placementType: 'PickAll',
    ...policy,
    ...(Array.isArray(spread) && {
      topologySpreadConstraints: withEach(spread, { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }),
    }),
    ...(Array.isArray(tolerations) && { tolerations: withEach(tolerations, { operator: 'Equal' }) }),
  };
}

function withEach(items: readonly JsonValue[], defaults: JsonObject): JsonValue[] {
  return items.map((item) => (isJsonObject(item) ? { ...defaults, ...item } : item));
}

function withStrategyDefaults(given: JsonValue): JsonValue {
  if (!isJsonObject(given)) return given;
  const strategy = { type: 'RollingUpdate', ...given };
  const { type, rollingUpdate = {}, applyStrategy = {}, reportBackStrategy } = strategy as JsonObject;
  return {
    ...strategy,
    ...(type === 'RollingUpdate' &&
      isJsonObject(rollingUpdate) && { rollingUpdate: { ...defaultRollingUpdate, ...rollingUpdate } }),
    ...(isJsonObject(applyStrategy) && { applyStrategy: withApplyDefaults(applyStrategy) }),
    ...(isJsonObject(reportBackStrategy) && { reportBackStrategy: withDestination(reportBackStrategy) }),
  };
}

export function withApplyDefaults(strategy: JsonObject): JsonObject {
  const complete = { ...defaultApplyStrategy, ...strategy };
  const { serverSideApplyConfig: config = {} } = strategy;
  if (complete.type !== 'ServerSideApply' || !isJsonObject(config)) return complete;
  return { ...complete, serverSideApplyConfig: { force: false, ...config } };
}

/** KubeFleet's API reference names this default, but its rules demand a destination. */
function withDestination(strategy: JsonObject): JsonObject {
  return strategy['type'] === 'Mirror' ? { destination: 'WorkAPI', ...strategy } : strategy;
}
