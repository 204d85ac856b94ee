/**
 * Two ConfigMaps of the hub. `flotilla-faults` has the faults that users want, `flotilla-members` has the embedded members of a
 * running fleet and their faults in force. Both have a key for each member.
 */
import { fleetNamespace } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  configMaps,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  type ConfigMap,
  type ObjectKey,
} from '@flotilla/kube';
import { InvalidFaults, noFaults, parseFaults, printFaults, type MemberFaults } from './member-faults.ts';

export const wantedFaultsKey = { namespace: fleetNamespace, name: 'flotilla-faults' } satisfies ObjectKey;
export const runningMembersKey = { namespace: fleetNamespace, name: 'flotilla-members' } satisfies ObjectKey;

/** A ConfigMap of one of these keys. */
export function faultConfigMap(
  metadata: { readonly namespace: string; readonly name: string },
  data: Record<string, string>,
): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

export function textOf(configMap: Readonly<ConfigMap> | undefined, member: string): string | undefined {
  const { data = {} } = configMap ?? {};
  return Object.hasOwn(data, member) ? data[member] : undefined;
}

/** The wanted faults of a member, without those that cannot be parsed. */
export function faultsOf(configMap: Readonly<ConfigMap> | undefined, member: string): MemberFaults {
  try {
    return parseFaults(textOf(configMap, member) ?? '');
  } catch (error) {
    if (error instanceof InvalidFaults) return noFaults;
    throw error;
  }
}

/** The faults that users want, for the start of a fleet. */
export async function wantedFaults(hub: Client): Promise<(member: string) => MemberFaults> {
  const found = await hub.get(configMaps, wantedFaultsKey).catch(ignoreNotFound);
  return (member) => faultsOf(found, member);
}

/** The members of the fleet that runs on this hub, and their faults in force as text. Undefined if none runs. */
export async function runningMembers(hub: Client): Promise<ReadonlyMap<string, string> | undefined> {
  const found = await hub.get(configMaps, runningMembersKey).catch(ignoreNotFound);
  return found && new Map(Object.entries(found.data ?? {}));
}

/** Other writers may change other members at the same time. */
const maxTries = 20;

/** Changes the wanted faults of a member. Returns what is wanted now. */
export async function changeFaults(
  hub: Client,
  member: string,
  change: (faults: MemberFaults) => MemberFaults,
): Promise<MemberFaults> {
  for (let tries = 1; ; tries++) {
    const found = await hub.get(configMaps, wantedFaultsKey).catch(ignoreNotFound);
    const faults = change(faultsOf(found, member));
    try {
      await writeText(hub, found, member, faults);
      return faults;
    } catch (error) {
      if (tries >= maxTries || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}

/** A member without faults has no key. */
async function writeText(
  hub: Client,
  found: ConfigMap | undefined,
  member: string,
  faults: MemberFaults,
): Promise<void> {
  const text = printFaults(faults);
  const isNone = text === printFaults(noFaults);
  if (found === undefined) {
    if (!isNone) await hub.create(configMaps, faultConfigMap(wantedFaultsKey, { [member]: text }));
    return;
  }
  if (isNone ? textOf(found, member) === undefined : textOf(found, member) === text) return;
  const { resourceVersion = '' } = found.metadata;
  const value = { metadata: { resourceVersion }, data: { [member]: isNone ? null : text } };
  await hub.patch(configMaps, wantedFaultsKey, { type: 'merge', value });
}

/** Resolves when the running fleet reports these faults of a member as in force. Rejects if the signal aborts. */
export async function untilInForce(
  hub: Client,
  member: string,
  faults: MemberFaults,
  signal: AbortSignal,
): Promise<void> {
  const text = printFaults(faults);
  const { namespace, name } = runningMembersKey;
  const fieldSelector = `metadata.name=${name}`;
  const watching = new AbortController();
  const until = AbortSignal.any([signal, watching.signal]);
  try {
    // A watch may end at any time.
    while (!signal.aborted) {
      const events = hub.watch(configMaps, {
        namespace,
        fieldSelector,
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowBookmarks: true,
        signal: until,
      });
      for await (const { type, object } of events) {
        if (type !== 'DELETED' && textOf(object, member) === text) return;
      }
    }
  } finally {
    watching.abort();
  }
  signal.throwIfAborted();
}
