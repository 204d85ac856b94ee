/**
 * The limits of what the hub keeps of a member's report. KubeFleet has no such limits; its providers report a few dozen
 * properties. Sizes are bytes of JSON. A MemberCluster at all limits, with its managedFields, stays below the 1.5 MiB
 * that a server stores.
 */
export const reportLimits = {
  properties: 1_000,
  /** All names and values of properties together. */
  propertiesBytes: 192 * 1024,
  /** A name: the longest key of a label. */
  nameBytes: 316,
  valueBytes: 1_024,
  /** The property with the certificate authorities of the member's API server. */
  authorityBytes: 64 * 1024,
  /** Each of capacity, allocatable and available. */
  resources: 64,
  /** A quantity or a time. */
  amountBytes: 64,
  namespaces: 1_000,
  agents: 8,
  /** Conditions of one agent. */
  agentConditions: 16,
  /** Conditions of the member. */
  conditions: 64,
  /** The type and reason of a condition together. */
  conditionBytes: 512,
  /** Longer messages are truncated. */
  messageBytes: 1_024,
  /** A server of ours refuses larger statuses from members. */
  statusBytes: 512 * 1024,
} as const;
