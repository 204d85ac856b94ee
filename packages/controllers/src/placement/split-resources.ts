/** As KubeFleet splits: what the resources of one snapshot may have together, in bytes. */
const maxSnapshotBytes = 800 * 1024;

/** The resources of one snapshot, from the first index up to, but not including, the second. */
export type ResourceRange = readonly [from: number, to: number];

/**
 * Splits resources of these sizes into snapshots, in order. A resource above the limit gets a snapshot of its own. No resources make one
 * empty snapshot.
 */
export function splitResources(sizes: readonly number[]): readonly ResourceRange[] {
  const ranges: ResourceRange[] = [];
  let from = 0;
  let bytes = 0;
  for (const [index, size] of sizes.entries()) {
    if (index > from && bytes + size > maxSnapshotBytes) {
      ranges.push([from, index]);
      from = index;
      bytes = 0;
    }
    bytes += size;
  }
  return [...ranges, [from, sizes.length]];
}
