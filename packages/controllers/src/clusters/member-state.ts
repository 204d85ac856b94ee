import type { InternalMemberCluster, MemberCluster, Work } from '@flotilla/api';
import type { KubeObject, Role, RoleBinding } from '@flotilla/kube';

/** A member and all that the hub keeps for it. */
export interface MemberState {
  readonly cluster: MemberCluster;
  readonly namespace: Readonly<KubeObject> | undefined;
  readonly role: Readonly<Role> | undefined;
  readonly roleBinding: Readonly<RoleBinding> | undefined;
  readonly internal: Readonly<InternalMemberCluster> | undefined;
  /** Only while the member leaves, and only their metadata. */
  readonly works: readonly Readonly<Pick<Work, 'metadata'>>[];
}

/** How the hub looks after members. */
export interface MembershipSettings {
  /** How long a member that leaves may take before the hub lets go of it. */
  readonly forceDeleteWaitMs: number;
  /** Whether members run the agents of fleet networking, too. */
  readonly networkingAgents: boolean;
}

export const defaultMembership: MembershipSettings = { forceDeleteWaitMs: 15 * 60_000, networkingAgents: false };
