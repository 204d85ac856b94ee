import { parseTaint, selectionProblem, stageList, stagesProblem, type HubSettings } from '@flotilla/fleet';
import { settingsIn, type MembershipOptions } from '../membership-options.ts';
import { placementSettingsIn, type PlacementOptions } from '../placement-options.ts';
import type { SelectionOptions } from '../selection-options.ts';
import type { StageOptions } from '../stage-options.ts';
import { UserError } from '../user-error.ts';
import { loadSchedulerPlugins } from './load-scheduler-plugins.ts';

/** The settings of the hub's controllers. Their names are checked only here: to parse a command line loads no controllers. */
export async function hubSettingsIn(
  options: MembershipOptions & PlacementOptions & SelectionOptions & StageOptions,
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
    controllers,
    eligibility,
    evictionTtlMs: options.evictionTtl,
    ...taintIn(options),
    schedulerPlugins: await loadSchedulerPlugins(options.schedulerPlugin ?? []),
  };
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
