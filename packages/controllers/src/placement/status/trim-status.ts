/**
 * Keeps the status of a placement small enough to be stored, however many resources fail on however many clusters. KubeFleet has no
 * such limit: the server refuses its status, and the placement shows an old one. The bindings have everything that is left out.
 */
import type { PerClusterStatus, PlacedResource, Placement, PlacementStatus } from '@flotilla/api';
import { jsonSize, jsonTextSize } from '@flotilla/kube';
import { cutText } from '../../bounded-text.ts';
import { Omissions } from './omissions.ts';
import type { PlacementConditions } from './placement-conditions.ts';
import {
  clusterSize,
  conditionsSize,
  detailLists,
  detailsSize,
  detailSizes,
  listBytes,
  resourceSize,
  type ClusterSize,
} from './status-size.ts';

/** What etcd takes, less the key, managedFields and what a server adds. */
const maxObjectBytes = 1.5 * 1024 * 1024 - 64 * 1024;

/** A thousand clusters without failures need about 1.4 MB. */
export const maxStatusBytes = 1.4 * 1024 * 1024;

/** Smaller ones fit beside every spec that is worth a thought. */
const smallBytes = 64 * 1024;

/** For the condition that says what is missing. */
const conditionBytes = 1024;

/** The status itself if it fits. Conditions always stay; the condition StatusTrimmed says what does not. */
export function trimStatus(
  placement: Readonly<Placement>,
  status: PlacementStatus,
  conditions: PlacementConditions,
): PlacementStatus {
  const measured = new MeasuredStatus(status);
  if (measured.fits(smallBytes)) return status;
  const room = roomFor(placement);
  if (measured.fits(room)) return status;
  const omissions = new Omissions();
  const trimmed = measured.trimmedTo(room - conditionBytes, omissions);
  conditions.set('statusTrimmed', 'True', omissions.text);
  return { ...trimmed, conditions: conditions.list };
}

function roomFor({ metadata, spec }: Readonly<Placement>): number {
  return Math.min(maxStatusBytes, Math.max(smallBytes, maxObjectBytes - jsonSize({ metadata, spec }, maxObjectBytes)));
}

class MeasuredStatus {
  readonly #status: PlacementStatus;
  readonly #clusters: readonly PerClusterStatus[];
  readonly #resources: readonly PlacedResource[];
  readonly #sizes: readonly ClusterSize[];
  /** Of everything but selected resources and long lists of clusters. */
  readonly #bytes: number;

  constructor(status: PlacementStatus) {
    this.#status = status;
    this.#clusters = status.placementStatuses ?? [];
    this.#resources = status.selectedResources ?? [];
    this.#sizes = this.#clusters.map(clusterSize);
    this.#bytes = conditionsSize(status.conditions ?? []) + 3 * listBytes;
    for (const { plain, settled, open } of this.#sizes) this.#bytes += plain + settled + open;
  }

  fits(room: number): boolean {
    let bytes = this.#resources.reduce((sum, resource) => sum + resourceSize(resource), this.#bytes);
    for (const cluster of this.#clusters) {
      if (bytes > room) return false;
      bytes += detailsSize(cluster, room - bytes);
    }
    return bytes <= room;
  }

  trimmedTo(room: number, omissions: Omissions): PlacementStatus {
    const resources = firstWithin(this.#resources, room / 2, resourceSize);
    omissions.addResources(this.#resources.length - resources.items.length);
    const left = room - resources.bytes - this.#bytes;
    return {
      ...this.#status,
      selectedResources: resources.items,
      placementStatuses:
        left >= 0 ? this.#withDetailsWithin(left, omissions) : this.#withMessagesWithin(left, omissions),
    };
  }

  /** Each cluster gets an equal part of what the clusters before it have left. */
  #withDetailsWithin(room: number, omissions: Omissions): PerClusterStatus[] {
    let left = room;
    return this.#clusters.map((cluster, index) => {
      const { trimmed, bytes } = withDetailsWithin(cluster, left / (this.#clusters.length - index), omissions);
      left -= bytes;
      return trimmed;
    });
  }

  /** Cuts messages by this many bytes in all. Those of True conditions say the least, so they are cut first. */
  #withMessagesWithin(missing: number, omissions: Omissions): PerClusterStatus[] {
    omissions.addMessages();
    let [settled, open, settledCount, openCount] = [0, 0, 0, 0];
    for (const [index, size] of this.#sizes.entries()) {
      settled += size.settled;
      open += size.open;
      for (const { status } of this.#clusters[index]?.conditions ?? []) {
        if (status === 'True') settledCount++;
        else openCount++;
      }
    }
    const left = settled + open + missing;
    const maxSettled = Math.max(emptyBytes, (left - open) / settledCount);
    const isEnough = open + maxSettled * settledCount <= left;
    const maxOpen = isEnough ? Number.POSITIVE_INFINITY : (left - emptyBytes * settledCount) / openCount;
    return this.#clusters.map((cluster) => {
      const { trimmed } = withDetailsWithin(cluster, 0, omissions);
      const conditions = (cluster.conditions ?? []).map((condition) => {
        const message = cutMessage(condition.message, condition.status === 'True' ? maxSettled : maxOpen);
        return message === condition.message ? condition : { ...condition, message };
      });
      return { ...trimmed, conditions };
    });
  }
}

/** The quotes of an empty message. */
const emptyBytes = 2;

function withDetailsWithin(
  cluster: PerClusterStatus,
  room: number,
  omissions: Omissions,
): { readonly trimmed: PerClusterStatus; readonly bytes: number } {
  if (!detailLists.some((list) => cluster[list] !== undefined)) return { trimmed: cluster, bytes: 0 };
  const trimmed = { ...cluster };
  let used = 0;
  for (const list of detailLists) {
    const details: readonly unknown[] = cluster[list] ?? [];
    const { items, bytes } = firstWithin(details, room - used, detailSizes[list] as (detail: unknown) => number);
    omissions.addDetails(list, details.length - items.length);
    if (items.length === 0) delete trimmed[list];
    else Object.assign(trimmed, { [list]: items });
    used += bytes;
  }
  return { trimmed, bytes: used };
}

/** The first elements of a list that fit. */
function firstWithin<T>(
  list: readonly T[],
  room: number,
  sizeOf: (item: T) => number,
): { readonly items: T[]; readonly bytes: number } {
  const items: T[] = [];
  let bytes = listBytes;
  for (const item of list) {
    const more = sizeOf(item);
    if (bytes + more > room) break;
    bytes += more;
    items.push(item);
  }
  return items.length === 0 ? { items, bytes: 0 } : { items, bytes };
}

/** Too little room for a word. */
const minMessageBytes = 16;

function cutMessage(message: string, maxBytes: number): string {
  if (jsonTextSize(message) <= maxBytes) return message;
  return maxBytes < minMessageBytes ? '' : cutText(message, maxBytes);
}
