import {
  disabledStagesOf,
  parsePolicySettings,
  parseTaint,
  stageList,
  type HubSettings,
  type SelectionSettings,
} from '@flotilla/controllers';
import { milliseconds, type HubShape } from '../file/fleet-shape.ts';

/** What a shape says about the controllers of the hub. */
export function hubSettingsOf(hub: HubShape): HubSettings {
  return {
    forceDeleteWaitMs: milliseconds(hub.forceDeleteWaitTime),
    unhealthyAfterMs: milliseconds(hub.clusterUnhealthyThreshold),
    networkingAgents: hub.networkingAgentsEnabled,
    clusterProfiles: hub.enableClusterInventoryApis,
    minSnapshotIntervalMs: milliseconds(hub.resourceSnapshotCreationMinimumInterval),
    collectChangesMs: milliseconds(hub.resourceChangesCollectionDuration),
    stuckAfterMs: milliseconds(hub.updateRunStuckThreshold),
    requiresSameStrategy: hub.requireSameStrategy,
    evictionTtlMs: milliseconds(hub.evictionTtl),
    controllers: [...disabledStages(hub), ...stageList(hub.controllers)],
    resourcePlacements: hub.enableResourcePlacement,
    clusterScopedInConfigMaps: hub.clusterScopedInConfigMaps,
    eligibility: {
      heartbeatTimeoutMs: milliseconds(hub.schedulingHeartbeatTimeout),
      healthTimeoutMs: milliseconds(hub.schedulingHealthTimeout),
    },
    ...taintOf(hub),
    ...selectionSettingsOf(hub),
    ...guardSettingsOf(hub),
    ...policySettingsOf(hub),
  };
}

function disabledStages({ enableStagedUpdateRunApis, enableEvictionApis }: HubShape): readonly string[] {
  return disabledStagesOf({ updateRuns: enableStagedUpdateRunApis, evictions: enableEvictionApis });
}

export function selectionSettingsOf(hub: SelectionShape): SelectionSettings {
  return {
    skippedApis: hub.skippedPropagatingApis,
    allowedApis: hub.allowedPropagatingApis,
    skippedNamespaces: hub.skippedPropagatingNamespaces,
    runsWorkloads: hub.enableWorkload,
  };
}

/** The file was checked when it was read. */
function policySettingsOf({ admissionPolicies }: HubShape): Pick<HubSettings, 'admissionPolicies'> {
  return admissionPolicies ? { admissionPolicies: parsePolicySettings(admissionPolicies) } : {};
}

function guardSettingsOf(hub: HubShape): Pick<HubSettings, 'guardRail' | 'allowsPodBudgets'> {
  const { whitelistedUsers, denyModifyMemberClusterLabels: deniesLabelChanges } = hub;
  return {
    ...(hub.enableGuardRail && { guardRail: { whitelistedUsers, deniesLabelChanges } }),
    allowsPodBudgets: hub.enablePdbs,
  };
}

type SelectionShape = Pick<
  HubShape,
  'skippedPropagatingApis' | 'allowedPropagatingApis' | 'skippedPropagatingNamespaces' | 'enableWorkload'
>;

/** The file was checked when it was read. */
function taintOf({ newMemberTaint }: HubShape): Pick<HubSettings, 'newMemberTaint'> {
  const parsed = newMemberTaint === undefined ? undefined : parseTaint(newMemberTaint);
  return parsed && 'taint' in parsed ? { newMemberTaint: parsed.taint } : {};
}
