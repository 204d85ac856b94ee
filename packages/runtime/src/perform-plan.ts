/** Performs the writes of a plan. Controllers write nothing elsewhere. */
import type { Client, InSubresource, WriteOptions } from '@flotilla/client';
import {
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  jsonEquals,
  keyText,
  mergePatchChanges,
  type JsonObject,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import type { InformerCache } from './informer-cache.ts';
import { keyOf } from './informer/object-key.ts';
import type { Plan, PlannedEvent, Write } from './plan.ts';
import type { WriteSlots } from './write-slots.ts';

export interface PlanDependencies {
  readonly client: Client;
  readonly cache: InformerCache;
  readonly fieldManager?: string | undefined;
  readonly slots: WriteSlots;
}

/** The result of a write. */
export interface Written {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly uid: string | undefined;
  /** After the write; undefined if the object was deleted. */
  readonly resourceVersion: string | undefined;
}

export interface PlanResult {
  readonly written: readonly Written[];
  /** Of the writes that succeeded. */
  readonly events: readonly PlannedEvent[];
  /** Why the plan ended before its last step. */
  readonly failure?: Error;
}

/**
 * Performs one step after another. It tries all writes of a step; if one fails, the plan ends there. It skips writes that would
 * change nothing.
 */
export async function performPlan({ steps }: Plan, dependencies: PlanDependencies): Promise<PlanResult> {
  const { slots, cache } = dependencies;
  const written: Written[] = [];
  const events: PlannedEvent[] = [];
  for (const step of steps) {
    const failures: Error[] = [];
    const inFlight: Promise<void>[] = [];
    for (const write of withVersions(step, written)) {
      if (!changesSomething(write, dependencies)) continue;
      const waiting = slots.take();
      if (waiting) await waiting;
      const sent = send(write, dependencies).then(
        (response) => {
          slots.release();
          const result = resultOf(write, response, cache);
          if (result) written.push(result);
          if (write.event) events.push(write.event);
        },
        (error: unknown) => {
          slots.release();
          failures.push(asError(error));
        },
      );
      inFlight.push(sent);
    }
    // None of them rejects.
    for (const sent of inFlight) await sent;
    const failure = worstOf(failures);
    if (failure !== undefined) return { written, events, failure };
  }
  return { written, events };
}

/** The versions of follow-ups are known only when the earlier steps are done. */
function withVersions(step: readonly Write[], written: readonly Written[]): readonly Write[] {
  if (!step.some(isFollowUp)) return step;
  const versions = new Map(written.map(({ kind, key, resourceVersion }) => [objectText(kind, key), resourceVersion]));
  return step.map((write) => {
    const resourceVersion = isFollowUp(write) ? versions.get(objectText(write.kind, write.key)) : undefined;
    if (!isFollowUp(write) || resourceVersion === undefined) return write;
    const metadata = { ...(write.patch['metadata'] as JsonObject | undefined), resourceVersion };
    return { ...write, patch: { ...write.patch, metadata } };
  });
}

function isFollowUp(write: Write): write is Write & { readonly verb: 'patch' } {
  return write.verb === 'patch' && write.isFollowUp === true;
}

function objectText({ group, plural }: Kind, key: ObjectKey): string {
  return `${group}/${plural}/${keyText(key)}`;
}

function changesSomething(write: Write, { cache }: PlanDependencies): boolean {
  switch (write.verb) {
    case 'create':
    case 'json-patch':
    case 'delete':
      return true;
    case 'update': {
      const before = cache.find(write.kind)?.get(keyOf(write.object));
      return before === undefined || !isSame(before, write.object, write.subresource);
    }
    case 'patch': {
      const before = cache.find(write.kind)?.get(write.key);
      return before === undefined || patchChanges(before, write.patch, write.subresource);
    }
  }
}

/** Of a status, compares metadata too: with it, some kinds store annotations. Other subresources cannot be compared. */
function isSame(before: Readonly<KubeObject>, after: KubeObject, subresource: string | undefined): boolean {
  if (subresource === undefined) return jsonEquals(before, after);
  if (subresource !== 'status' || !jsonEquals(before.metadata, after.metadata)) return false;
  return jsonEquals(before['status'] ?? null, after['status'] ?? null);
}

/** As `isSame`, but without making the patched object, which may be large. */
function patchChanges(before: Readonly<KubeObject>, patch: JsonObject, subresource: string | undefined): boolean {
  if (subresource === undefined) return mergePatchChanges(before, patch);
  if (subresource !== 'status') return true;
  const { metadata, status } = patch;
  return mergePatchChanges(before, { metadata, status });
}

function send(write: Write, { client, fieldManager }: PlanDependencies): Promise<KubeObject | undefined> {
  const { kind } = write;
  switch (write.verb) {
    case 'create':
      return client.create(kind, write.object, optionsOf(write, fieldManager));
    case 'update':
      return client.update(kind, withoutManagers(write.object), optionsOf(write, fieldManager));
    case 'patch': {
      const patch = { type: 'merge', value: write.patch } as const;
      return client.patch(kind, write.key, patch, optionsOf(write, fieldManager));
    }
    case 'json-patch': {
      const patch = { type: 'json', operations: write.operations } as const;
      return client.patch(kind, write.key, patch, optionsOf(write, fieldManager));
    }
    case 'delete':
      return remove(client, write);
  }
}

/** Undefined if the response does not show the object, and the cache does not either. */
function resultOf(write: Write, response: KubeObject | undefined, cache: InformerCache): Written | undefined {
  const { kind } = write;
  if (write.verb === 'delete') return { kind, key: write.key, uid: write.uid, resourceVersion: undefined };
  const isStatus = write.verb === 'create' && write.subresource !== undefined;
  // A view of a server in this process shows the changed object already.
  const shown = isStatus ? cache.find(kind)?.get(keyOf(write.object)) : response;
  return shown && writtenAs(kind, shown);
}

/** Servers keep the field managers of an object that comes without them. Sending them costs a fifth of an update. */
function withoutManagers(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The result of a write, from the server's response. */
export function writtenAs(kind: Kind, object: KubeObject): Written {
  const { uid, resourceVersion } = object.metadata;
  return { kind, key: keyOf(object), uid, resourceVersion };
}

/** Succeeds if the object does not exist. */
function remove(client: Client, write: Write & { readonly verb: 'delete' }): Promise<undefined> {
  const { kind, key, verb: _verb, event: _event, ...options } = write;
  return client.delete(kind, key, options).then(() => undefined, ignoreNotFound);
}

function optionsOf(
  { subresource }: { readonly subresource?: string },
  fieldManager: string | undefined,
): WriteOptions & InSubresource {
  return {
    identityOnly: true,
    ...(fieldManager !== undefined && { fieldManager }),
    ...(subresource !== undefined && { subresource }),
  };
}

/** Prefers any other failure to a lost race. */
function worstOf(failures: readonly Error[]): Error | undefined {
  return failures.find((failure) => !isConflict(failure) && !isAlreadyExists(failure)) ?? failures[0];
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
