/** How many bytes the parts of a placement's status take as JSON: not less, and a few more at most. */
import type { Condition, PatchDetail, PerClusterStatus, PlacedResource } from '@flotilla/api';
import { jsonSize, jsonTextSize } from '@flotilla/kube';

/** The lists of a cluster's status that may be long, the most useful first. */
export const detailLists = [
  'failedPlacements',
  'diffedPlacements',
  'driftedPlacements',
  'applicableClusterResourceOverrides',
  'applicableResourceOverrides',
] as const;

export type DetailList = (typeof detailLists)[number];

/** The name of the longest list, its quotes and its brackets. */
export const listBytes = 48;

/** The parts of one cluster's status. */
export interface ClusterSize {
  /** Everything but messages and long lists. */
  readonly plain: number;
  /** Messages of conditions that are True. */
  readonly settled: number;
  /** Messages of other conditions. */
  readonly open: number;
}

export function clusterSize(cluster: PerClusterStatus): ClusterSize {
  const { clusterName = '', observedResourceIndex = '', conditions = [] } = cluster;
  let plain = 64 + clusterName.length + observedResourceIndex.length;
  let settled = 0;
  let open = 0;
  for (const condition of conditions) {
    const message = jsonTextSize(condition.message);
    plain += conditionSize(condition);
    if (condition.status === 'True') settled += message;
    else open += message;
  }
  return { plain, settled, open };
}

export function conditionsSize(conditions: readonly Condition[]): number {
  return conditions.reduce((bytes, one) => bytes + conditionSize(one) + jsonTextSize(one.message), listBytes);
}

/** Without the message. The names of the fields, and a generation of three digits, take 95 bytes. No other text needs escapes. */
function conditionSize({ type, status, reason, lastTransitionTime }: Condition): number {
  return 95 + type.length + status.length + reason.length + lastTransitionTime.length;
}

/** No text needs escapes. */
export function resourceSize({ group, version, kind, namespace, name, envelope }: PlacedResource): number {
  let bytes = '{"version":"","kind":"","name":""},'.length + version.length + kind.length + name.length;
  if (group !== undefined) bytes += '"group":"",'.length + group.length;
  if (namespace !== undefined) bytes += '"namespace":"",'.length + namespace.length;
  if (envelope !== undefined) bytes += '"envelope":,'.length + jsonSize(envelope);
  return bytes;
}

/** Of the elements of a list. */
export const detailSizes: {
  readonly [List in DetailList]: (detail: NonNullable<PerClusterStatus[List]>[number]) => number;
} = {
  failedPlacements: ({ condition, ...resource }) =>
    resourceSize(resource) + 13 + conditionSize(condition) + jsonTextSize(condition.message),
  diffedPlacements: ({ observedDiffs, ...resource }) => resourceSize(resource) + fieldsSize(observedDiffs),
  driftedPlacements: ({ observedDrifts, ...resource }) => resourceSize(resource) + fieldsSize(observedDrifts),
  applicableClusterResourceOverrides: (name) => name.length + 3,
  applicableResourceOverrides: ({ namespace, name }) => 26 + namespace.length + name.length,
};

/** Two times and a generation take 190 bytes with their names. Members report paths and values. */
function fieldsSize(details: readonly PatchDetail[] = []): number {
  let bytes = 190;
  for (const { path, valueInMember = '', valueInHub = '' } of details) {
    bytes += 44 + jsonTextSize(path) + jsonTextSize(valueInMember) + jsonTextSize(valueInHub);
  }
  return bytes;
}

/** Of all long lists of a cluster. Stops early at one that exceeds the limit. */
export function detailsSize(cluster: PerClusterStatus, limit: number): number {
  let bytes = 0;
  for (const list of detailLists) {
    const details = cluster[list];
    if (details === undefined) continue;
    const sizeOf = detailSizes[list] as (detail: unknown) => number;
    bytes += listBytes;
    for (const detail of details) {
      bytes += sizeOf(detail);
      if (bytes > limit) return bytes;
    }
  }
  return bytes;
}
