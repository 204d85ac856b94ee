import type { RetryLimits } from '@flotilla/runtime';
import type { EligibilityTimeouts, SchedulerPlugin } from '@flotilla/scheduler';
import type { PolicySettings } from './admission-policies/policy-settings.ts';
import type { MembershipSettings } from './clusters/member-state.ts';
import type { GuardRailSettings } from './guard-rail/guard-users.ts';
import type { SnapshotSettings } from './placement/placement-state.ts';
import type { SelectionSettings } from './placement/selection/start-selections.ts';

/** Settings of the hub's controllers. Defaults are KubeFleet's, except that snapshots wait for nothing. */
export interface HubSettings extends Partial<MembershipSettings>, Partial<SnapshotSettings>, SelectionSettings {
  /** A ClusterProfile turns unhealthy after this long without a heartbeat. Default: a minute. */
  readonly unhealthyAfterMs?: number;
  /** Whether members get ClusterProfiles. Default: true. */
  readonly clusterProfiles?: boolean;
  /** Whether OCM's own controllers run on this server, so that ours must not do their work. Default: false. */
  readonly isOcmInstalled?: boolean;
  /** When a cluster stops being eligible for new placements. Default: five minutes each. */
  readonly eligibility?: Partial<EligibilityTimeouts>;
  /** Rules for clusters beside ours. Default: none. */
  readonly schedulerPlugins?: readonly SchedulerPlugin[];
  /** Whether ConfigMaps that are envelopes may contain cluster-scoped objects. Default: false. */
  readonly clusterScopedInConfigMaps?: boolean;
  /** Whether an update run fails if another one of its placement follows another strategy. Default: false. */
  readonly requiresSameStrategy?: boolean;
  /** An update run calls a cluster stuck that takes longer than this. Default: five minutes. */
  readonly stuckAfterMs?: number;
  /** How long evictions stay after they are decided; 0 if forever. Default: a day. */
  readonly evictionTtlMs?: number;
  /** Whether ResourcePlacements are placed. Default: true. */
  readonly resourcePlacements?: boolean;
  /** When failed keys are retried. Default: as in client-go, but after a minute at the latest. */
  readonly retryLimits?: RetryLimits;
  /** Protects objects of the fleet from users that are not trusted. Default: off. */
  readonly guardRail?: GuardRailSettings | undefined;
  /** Admission policies to install before the controllers start. Default: none, and those that exist stay. */
  readonly admissionPolicies?: PolicySettings | undefined;
  /** Whether users may create PodDisruptionBudgets on the hub. Default: true. */
  readonly allowsPodBudgets?: boolean;
  /** Names of stages; `*` means all others, and a dash before a name leaves it out. Default: all. */
  readonly controllers?: readonly string[];
}
