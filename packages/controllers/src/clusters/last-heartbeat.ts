import { agentTypes, type AgentStatus, type MemberCluster } from '@flotilla/api';

/** The status of the member's own agent; agents of fleet networking report beside it. */
export function memberAgentOf({ status }: Readonly<MemberCluster>): AgentStatus | undefined {
  return status?.agentStatus?.find(({ type }) => type === agentTypes.member);
}

/**
 * When the agent last reported, in milliseconds; undefined if that cannot be read. Time before `listeningSince` does not count
 * against the member, and a heartbeat from the future counts as one from now: its clock may be wrong.
 */
export function lastHeartbeatOf(
  { lastReceivedHeartbeat = '' }: AgentStatus,
  listeningSince: Date,
  now: Date,
): number | undefined {
  const sentAt = Date.parse(lastReceivedHeartbeat);
  if (Number.isNaN(sentAt)) return undefined;
  return Math.min(Math.max(sentAt, listeningSince.getTime()), now.getTime());
}
