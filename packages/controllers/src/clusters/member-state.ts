import type { InternalMemberCluster, MemberCluster, Taint, Work } from '@flotilla/api';
import type { KubeObject, Role, RoleBinding } from '@flotilla/kube';

/** A MemberCluster and its objects on the hub. */
export interface MemberState {
  readonly cluster: MemberCluster;
  readonly namespace: Readonly<KubeObject> | undefined;
  readonly role: Readonly<Role> | undefined;
  readonly roleBinding: Readonly<RoleBinding> | undefined;
  readonly internal: Readonly<InternalMemberCluster> | undefined;
  /** Filled only while the member leaves, with metadata only. */
  readonly works: readonly Readonly<Pick<Work, 'metadata'>>[];
}

/** Settings of the clusters controller. */
export interface MembershipSettings {
  /** How long the hub waits for the agent of a deleted member. */
  readonly forceDeleteWaitMs: number;
  /** Whether members also run the agents of fleet networking. */
  readonly networkingAgents: boolean;
  /** For members that the hub sees for the first time. Default: none. */
  readonly newMemberTaint?: Taint;
}

export const defaultMembership: MembershipSettings = { forceDeleteWaitMs: 15 * 60_000, networkingAgents: false };
