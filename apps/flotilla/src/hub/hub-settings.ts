import {
  disabledStagesOf,
  parseTaint,
  selectionProblem,
  stageList,
  stagesProblem,
  type HubSettings,
} from '@flotilla/fleet';
import type { FeatureOptions } from '../feature-options.ts';
import { guardSettingsIn, type GuardOptions } from '../guard-options.ts';
import { settingsIn, type MembershipOptions } from '../membership-options.ts';
import { placementSettingsIn, type PlacementOptions } from '../placement-options.ts';
import { retryLimitsIn, type RetryOptions } from '../retry-options.ts';
import type { SelectionOptions } from '../selection-options.ts';
import type { StageOptions } from '../stage-options.ts';
import { UserError } from '../user-error.ts';
import { policySettingsIn } from './policy-settings.ts';
import { loadSchedulerPlugins } from './load-scheduler-plugins.ts';

/** The settings of the hub's controllers. Their names are checked only here: to parse a command line loads no controllers. */
export async function hubSettingsIn(
  options: MembershipOptions &
    PlacementOptions &
    SelectionOptions &
    FeatureOptions &
    RetryOptions &
    GuardOptions &
    StageOptions,
): Promise<HubSettings> {
  const controllers = stageList(options.controllers);
  const problem = stagesProblem(controllers);
  if (problem !== undefined) throw new UserError(`--controllers: ${problem}.`);
  const { schedulingHeartbeatTimeout: heartbeatTimeoutMs, schedulingHealthTimeout: healthTimeoutMs } = options;
  const eligibility = { heartbeatTimeoutMs, healthTimeoutMs };
  return {
    ...settingsIn(options),
    ...placementSettingsIn(options),
    ...selectionIn(options),
    ...guardSettingsIn(options),
    ...(await policySettingsIn(options)),
    controllers: [...disabledStages(options), ...controllers],
    resourcePlacements: options.enableResourcePlacement === 'true',
    retryLimits: retryLimitsIn(options),
    eligibility,
    evictionTtlMs: options.evictionTtl,
    ...taintIn(options),
    schedulerPlugins: await loadSchedulerPlugins(options.schedulerPlugin ?? []),
  };
}

function disabledStages(options: FeatureOptions): readonly string[] {
  return disabledStagesOf({
    updateRuns: options.enableStagedUpdateRunApis === 'true',
    evictions: options.enableEvictionApis === 'true',
  });
}

function taintIn({ newMemberTaint }: StageOptions): Pick<HubSettings, 'newMemberTaint'> {
  if (newMemberTaint === undefined) return {};
  const parsed = parseTaint(newMemberTaint);
  if ('problem' in parsed) throw new UserError(`--new-member-taint: ${parsed.problem}.`);
  return { newMemberTaint: parsed.taint };
}

function selectionIn(options: SelectionOptions): HubSettings {
  const { skippedPropagatingApis: skippedApis, allowedPropagatingApis: allowedApis } = options;
  const settings = {
    skippedApis,
    allowedApis,
    skippedNamespaces: options.skippedPropagatingNamespaces,
    runsWorkloads: options.enableWorkload === 'true',
    clusterScopedInConfigMaps: options.clusterScopedInConfigMaps === 'true',
  };
  const problem = selectionProblem(settings);
  if (problem === undefined) return settings;
  const flag = allowedApis === undefined ? '--skipped-propagating-apis' : '--allowed-propagating-apis';
  throw new UserError(`${flag}: ${problem}.`);
}
