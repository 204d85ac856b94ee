import { jsonEquals } from '@flotilla/kube';
import type { PlannedEvent, Write } from '@flotilla/runtime';
import { kinds, type Pod, type StatefulSet, type VolumeClaim } from '../kinds.ts';
import { isAvailable, isFinished, isTerminating } from '../pods/pod-state.ts';
import { templateOf } from '../revisions/controller-revision.ts';
import { claimName, claimsFor, hasOtherController, isStale, wantedOwners } from './claims.ts';
import { claimCreated, conflictingController, failed, succeeded } from './events.ts';
import { firstOrdinal, isInRange, lastOrdinal, ordinalOf, revisionOf } from './identity.ts';
import type { Revisions } from './revisions.ts';
import { conformingPod, statefulPod } from './stateful-pod.ts';
import { isRunning } from './status.ts';

/** What a turn reads beside the set, its pods and its revisions. */
export interface Lookups {
  readonly findClaim: (name: string) => Readonly<VolumeClaim> | undefined;
  readonly hasPod: (name: string) => boolean;
}

/** At most so many pods of a Parallel set are created or deleted in a turn, so that a turn takes a few milliseconds. */
const maxBurst = 100;

/** Collects what Kubernetes does in one turn. */
export class Turn {
  /** By ordinal, of all pods with one. */
  readonly pods: ReadonlyMap<number, Readonly<Pod>>;
  readonly claimWrites: Write[] = [];
  readonly podWrites: Write[] = [];
  readonly events: PlannedEvent[] = [];
  readonly #lookups: Lookups;
  readonly #set: Readonly<StatefulSet>;
  readonly #revisions: Revisions;
  readonly #now: Date;
  /** Whether a pod is created or deleted only when those before are available. */
  readonly #isOrdered: boolean;

  constructor(
    set: Readonly<StatefulSet>,
    revisions: Revisions,
    owned: readonly Readonly<Pod>[],
    lookups: Lookups,
    now: Date,
  ) {
    this.#lookups = lookups;
    this.#set = set;
    this.#revisions = revisions;
    this.#now = now;
    this.#isOrdered = set.spec?.podManagementPolicy !== 'Parallel';
    this.pods = new Map(owned.map((pod) => [ordinalOf(pod, set) ?? -1, pod]));
  }

  run(): void {
    if (this.#keepReplicas() && this.#removeCondemned()) this.#replaceOutdated();
  }

  /** Returns whether all of them are there and available, or the set does not wait for them. */
  #keepReplicas(): boolean {
    const last = lastOrdinal(this.#set);
    for (let ordinal = firstOrdinal(this.#set); ordinal <= last && this.podWrites.length < maxBurst; ordinal++) {
      if (!this.#keepReplica(ordinal, this.pods.get(ordinal)) && this.#isOrdered) return false;
    }
    return true;
  }

  #keepReplica(ordinal: number, pod: Readonly<Pod> | undefined): boolean {
    if (pod === undefined) {
      this.#create(ordinal);
      return false;
    }
    if (isFinished(pod)) {
      if (!isTerminating(pod)) this.#delete(pod);
      return false;
    }
    if (pod.status?.phase === 'Pending') this.#createClaims(ordinal, pod);
    if (this.#isOrdered && (isTerminating(pod) || !isRunning(pod) || !this.#isAvailable(pod))) return false;
    this.#conform(ordinal, pod);
    return true;
  }

  #create(ordinal: number): void {
    const { current, update } = this.#revisions;
    const revision = this.#isBeforePartition(ordinal) ? current : update;
    const template = templateOf(revision) ?? this.#set.spec?.template;
    const pod = statefulPod(this.#set, template, revision.metadata.name ?? '', ordinal);
    const { name = '' } = pod.metadata;
    const isBlocked = claimsFor(this.#set, ordinal).some(({ metadata }) => {
      const existing = this.#lookups.findClaim(metadata.name ?? '');
      return existing !== undefined && isStale(existing, this.#set, name);
    });
    if (isBlocked || this.#lookups.hasPod(name) || !this.#createClaims(ordinal, pod)) return;
    const event = succeeded(this.#set, 'Create', `Pod ${name}`);
    this.podWrites.push({ verb: 'create', kind: kinds.pod, object: pod, event });
  }

  /** Whether the pod keeps the old template. */
  #isBeforePartition(ordinal: number): boolean {
    const { type, rollingUpdate } = this.#set.spec?.updateStrategy ?? {};
    const kept =
      rollingUpdate === undefined ? (this.#set.status?.currentReplicas ?? 0) : (rollingUpdate.partition ?? 0);
    return type !== 'OnDelete' && ordinal < firstOrdinal(this.#set) + kept;
  }

  /** Creates those that do not exist. Returns whether the pod can have all of them. */
  #createClaims(ordinal: number, pod: Readonly<Pod>): boolean {
    const { name: podName = '', uid } = pod.metadata;
    const isNew = uid === undefined;
    let isPossible = true;
    for (const object of claimsFor(this.#set, ordinal)) {
      const { name = '' } = object.metadata;
      const existing = this.#lookups.findClaim(name);
      if (existing === undefined) {
        const event = claimCreated(this.#set, name, podName);
        this.claimWrites.push({ verb: 'create', kind: kinds.volumeClaim, object, event });
      } else if (existing.metadata.deletionTimestamp !== undefined) {
        isPossible = false;
        if (isNew) this.events.push(failed(this.#set, 'Create', `Pod ${podName}`, `pvc ${name} is being deleted`));
      }
    }
    if (!isNew) this.#retain(ordinal, pod, undefined);
    return isPossible;
  }

  /** Repairs labels, volumes and the owners of claims. */
  #conform(ordinal: number, pod: Readonly<Pod>): void {
    const object = conformingPod(this.#set, pod, ordinal);
    const event = succeeded(this.#set, 'Update', `Pod ${pod.metadata.name}`);
    const isSame = jsonEquals(object, pod);
    this.#retain(ordinal, pod, isSame ? event : undefined);
    if (!isSame) this.podWrites.push({ verb: 'update', kind: kinds.pod, object, event });
  }

  /** Gives the claims of a pod the owners of the retention policy. */
  #retain(ordinal: number, pod: Readonly<Pod>, event: PlannedEvent | undefined): void {
    let nextEvent = event;
    for (const template of this.#set.spec?.volumeClaimTemplates ?? []) {
      const existing = this.#lookups.findClaim(claimName(this.#set, template, ordinal));
      const owners = existing && wantedOwners(existing, this.#set, pod, ordinal);
      if (existing === undefined || owners === undefined) continue;
      if (hasOtherController(existing, this.#set, pod)) this.events.push(conflictingController(this.#set, existing));
      const { namespace, name = '', uid = '', resourceVersion = '' } = existing.metadata;
      const ownerReferences = owners.length > 0 ? owners : null;
      this.claimWrites.push({
        verb: 'patch',
        kind: kinds.volumeClaim,
        key: { namespace, name },
        patch: { metadata: { uid, resourceVersion, ownerReferences } },
        ...(nextEvent && { event: nextEvent }),
      });
      nextEvent = undefined;
    }
  }

  /** Deletes pods outside of the range, the last first. Returns whether there are none. */
  #removeCondemned(): boolean {
    const condemned = [...this.pods]
      .filter(([ordinal]) => !isInRange(ordinal, this.#set))
      .sort(([left], [right]) => right - left);
    for (const [ordinal, pod] of condemned) this.#retain(ordinal, pod, undefined);
    if (!this.#isOrdered) {
      const leaving = condemned.filter(([, pod]) => !isTerminating(pod)).slice(0, maxBurst);
      for (const [, pod] of leaving) this.#delete(pod);
      return true;
    }
    const [last] = condemned;
    if (last === undefined) return true;
    const [, pod] = last;
    const firstUnavailable = condemned.findLast(([, one]) => isTerminating(one) || !this.#isAvailable(one));
    const isWaiting = (!isRunning(pod) || !this.#isAvailable(pod)) && last !== firstUnavailable;
    if (!isTerminating(pod) && !isWaiting) this.#delete(pod);
    return false;
  }

  /** Deletes the last pod with another template, unless one after it is not available. */
  #replaceOutdated(): void {
    const { updateStrategy } = this.#set.spec ?? {};
    if (updateStrategy?.type === 'OnDelete') return;
    const first = firstOrdinal(this.#set) + (updateStrategy?.rollingUpdate?.partition ?? 0);
    for (let ordinal = lastOrdinal(this.#set); ordinal >= first; ordinal--) {
      const pod = this.pods.get(ordinal);
      if (pod === undefined) return;
      if (revisionOf(pod) !== this.#revisions.update.metadata.name && !isTerminating(pod)) return this.#delete(pod);
      if (isTerminating(pod) || !this.#isAvailable(pod)) return;
    }
  }

  #isAvailable(pod: Readonly<Pod>): boolean {
    return isAvailable(pod, this.#set.spec?.minReadySeconds ?? 0, this.#now);
  }

  #delete(pod: Readonly<Pod>): void {
    const { namespace, name = '', uid = '' } = pod.metadata;
    if (this.podWrites.some((write) => write.verb === 'delete' && write.uid === uid)) return;
    const event = succeeded(this.#set, 'Delete', `Pod ${name}`);
    this.podWrites.push({ verb: 'delete', kind: kinds.pod, key: { namespace, name }, uid, event });
  }
}
