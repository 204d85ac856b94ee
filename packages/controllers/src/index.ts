export { keptOwners } from './clusters/kept-owners.ts';
export { refusedReport } from './clusters/report-guard.ts';
export { bindingOfMemberIn, isMember, refusedWorkChange } from './clusters/work-guard.ts';
export { hubRules } from './hub-role.ts';
export {
  startHubControllers,
  type HubControllers,
  type HubControllersOptions,
  type HubSettings,
} from './start-hub-controllers.ts';
export * from './family/binding-progress.ts';
export * from './family/go-hash.ts';
export * from './family/latest-snapshot.ts';
export * from './family/placement-defaults.ts';
export * from './family/placement-key.ts';
export * from './placement/selection/selection.ts';
export { candidatesAmong, placedIdentities } from './overrides/candidates.ts';
export { matchingOverrides, overridesFor } from './overrides/matching-overrides.ts';
export { namedOverrides, overriddenManifest } from './overrides/overridden-manifest.ts';
export { refusedOverride } from './overrides/admission/refused-override.ts';
export { refusedPlacement } from './placement/admission/refused-placement.ts';
export { refusedTaints } from './clusters/refused-taints.ts';
export { refusedBudget, refusedEviction } from './disruption/admission/refused-disruption.ts';
export { namespaceRoles } from './namespace-roles.ts';
