/**
 * How much of a member's report the hub keeps. KubeFleet has no such limits; its providers report a few dozen properties. Sizes are
 * bytes of JSON. A MemberCluster that uses all of them, with its managedFields, stays below the 1.5 MiB that a server stores.
 */
export const reportLimits = {
  properties: 1_000,
  /** Of all names and values of properties together. */
  propertiesBytes: 192 * 1024,
  /** Of a name: the longest key of a label. */
  nameBytes: 316,
  valueBytes: 1_024,
  /** Of the one property that is a file: the bundle of certificates by which the member's API server is known. */
  authorityBytes: 64 * 1024,
  /** Each of capacity, allocatable and available. */
  resources: 64,
  /** Of a quantity or a time. */
  amountBytes: 64,
  namespaces: 1_000,
  agents: 8,
  /** Of one agent. */
  agentConditions: 16,
  /** Of the member. */
  conditions: 64,
  /** Of the type and reason of a condition together. */
  conditionBytes: 512,
  /** Longer messages are cut. */
  messageBytes: 1_024,
  /** A server of ours refuses larger statuses from members. */
  statusBytes: 512 * 1024,
} as const;
