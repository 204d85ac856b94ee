import type { GuardRailSettings, HubSettings } from '@flotilla/controllers';
import type { FleetCheck } from './fleet-check.ts';
import { guardRailChecks } from './guard-rail-checks.ts';
import { memberGuards } from './member-guards.ts';
import { ocmChecks } from './ocm-checks.ts';
import { placementAdmission } from './placement-checks.ts';
import { updateRunAdmission } from './update-run-defaults.ts';
import { memberClusterChecks } from './member-cluster-checks.ts';
import { budgetChecks, workloadChecks } from './workload-checks.ts';

/** Plain data: a worker thread gets it, too. */
export interface FleetCheckSettings {
  readonly guardRail?: GuardRailSettings | undefined;
  /** Whether users may run workloads on the hub. */
  readonly runsWorkloads: boolean;
  readonly allowsPodBudgets: boolean;
  readonly networkingAgents: boolean;
  /** False where OCM's own webhooks run. */
  readonly hasOcmAdmission: boolean;
}

export function checkSettingsOf(settings: HubSettings): FleetCheckSettings {
  const { guardRail, runsWorkloads = false, allowsPodBudgets = true, networkingAgents = false } = settings;
  const hasOcmAdmission = !(settings.isOcmInstalled ?? false);
  return { guardRail, runsWorkloads, allowsPodBudgets, networkingAgents, hasOcmAdmission };
}

/** All checks and defaults of a hub. `hubUser` is the user of its controllers. */
export function fleetChecks(settings: FleetCheckSettings, hubUser: string): readonly FleetCheck[] {
  const { guardRail, runsWorkloads, allowsPodBudgets, networkingAgents, hasOcmAdmission } = settings;
  return [
    ...memberGuards,
    ...placementAdmission,
    ...updateRunAdmission,
    memberClusterChecks(networkingAgents),
    ...ocmChecks(hasOcmAdmission, hubUser),
    ...(runsWorkloads ? [] : workloadChecks),
    ...(allowsPodBudgets ? [] : budgetChecks),
    ...(guardRail ? guardRailChecks(guardRail, hubUser) : []),
  ];
}
