export {
  disabledStagesOf,
  parseTaint,
  selectionProblem,
  stageList,
  stagesProblem,
  type HubSettings,
  defaultPolicySettings,
  parsePolicySettings,
  PolicySettingsError,
} from '@flotilla/controllers';
export * from './faults.ts';
export { attachHub, type AttachedHub, type AttachHubOptions, type HubElection } from './attach-hub.ts';
export { clientByToken } from './attached-debug.ts';
export { followOcm } from './follow-ocm.ts';
export { PlacementDebugPath, placementDebugPath } from './placement-debug-path.ts';
export { attachedHubRules, type AttachedHubRules } from './attached-hub-rules.ts';
export { networkingWord, type FleetShape, type HubShape, type MemberShape } from './file/fleet-shape.ts';
export { untilDeleted } from './expected-agent.ts';
export { installDefinitions } from './install-definitions.ts';
export {
  memberAccount,
  memberCredentials,
  MemberHasOtherIdentity,
  memberNameProblem,
  memberUser,
  registerMember,
} from './member-credentials.ts';
export { UnusableShape } from './shape/stored-shape.ts';
export type { AttachedMember } from './start-attached-member.ts';
export { allowTokenRenewal } from './token-renewal-right.ts';
export { untilReadyToJoin } from './ready-to-join.ts';
export * from './server.ts';
export { startFleet, type FleetProgress, type RunningFleet, type StartFleetOptions } from './start-fleet.ts';
export { startHub, type RunningHub, type StartHubOptions } from './start-hub.ts';
export { startMember, type RunningMember, type StartMemberOptions } from './start-member.ts';
export { checkSettingsOf, type FleetCheckSettings } from './admission/fleet-checks.ts';
export { uninstallPolicies } from './policies/install-policies.ts';
export { uninstallWebhooks } from './webhooks/install-webhooks.ts';
export {
  startWebhooks,
  type AnswerWebhook,
  type RunningWebhooks,
  type WebhookListener,
  type WebhookResponse,
} from './webhooks/start-webhooks.ts';
export type { WebhookAddress } from './webhooks/webhook-configurations.ts';
export type { WebhookCertificate } from './webhooks/webhook-certificates.ts';
