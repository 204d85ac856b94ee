export {
  boundPolicies,
  policyLabels,
  validatingPolicies,
  validatingPolicyBindings,
  type BoundPolicy,
} from './admission-policies/policy-objects.ts';
export {
  defaultPolicySettings,
  parsePolicySettings,
  PolicySettingsError,
  type PolicySettings,
} from './admission-policies/policy-settings.ts';
export { keptOwners } from './clusters/kept-owners.ts';
export { parseTaint } from './clusters/new-member-taint.ts';
export { refusedTaints } from './clusters/refused-taints.ts';
export { invalidBinding } from './cluster-sets/admission/refused-binding.ts';
export { refusedReport } from './clusters/report-guard.ts';
export { bindingOfMemberIn, isMember, refusedWorkChange } from './clusters/work-guard.ts';
export { refusedBudget, refusedEviction } from './disruption/admission/refused-disruption.ts';
export { withPlacementDefaults } from './family/placement-defaults.ts';
export type { GuardedRequest, GuardRailSettings } from './guard-rail/guard-users.ts';
export { refusedMemberChange } from './guard-rail/refused-member-change.ts';
export {
  isIdentityOf,
  isReservedNamespace,
  memberOfNamespace,
  refusedDefinition,
  refusedNamespace,
  refusedUser,
} from './guard-rail/refused-request.ts';
export { refusedPod, refusedPodBudget, refusedReplicaSet } from './guard-rail/refused-workload.ts';
export { hubRules } from './hub-role.ts';
export type { HubSettings } from './hub-settings.ts';
export { namespaceRoles } from './namespace-roles.ts';
export type { DebugReport } from './ocm-placement/debug-report.ts';
export type { PlacementDebug } from './ocm-placement/placement-debug.ts';
export { refusedOverride } from './overrides/admission/refused-override.ts';
export { refusedPlacement } from './placement/admission/refused-placement.ts';
export { selectionProblem, type SelectionSettings } from './placement/selection/start-selections.ts';
export { admittedCluster } from './managed-clusters/admission/admitted-cluster.ts';
export {
  invalidCluster,
  isNewlyAccepted,
  rightsToJoin,
  rightToAccept,
  rightToBind,
  terminatingNamespace,
  type RequiredRight,
} from './managed-clusters/admission/refused-cluster.ts';
export { refusedMirrorChange, refusedMirrorDeletion } from './managed-clusters/admission/refused-mirror-change.ts';
export { mirroredOwnerOf } from './managed-clusters/mirror/mirror.ts';
export {
  disabledStagesOf,
  isStageEnabled,
  ocmStages,
  stageList,
  stageNames,
  stagesBesideOcm,
  stagesProblem,
  type StageNames,
} from './stages.ts';
export { startHubControllers, type HubControllers, type HubControllersOptions } from './start-hub-controllers.ts';
export { olderStates, stateNow } from './update-runs/admission/older-states.ts';
