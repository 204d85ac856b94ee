/** Writes what a plan says: the one place where controllers change anything. */
import type { Client } from '@flotilla/client';
import {
  applyMergePatch,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  jsonEquals,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import type { InformerCache } from './informer-cache.ts';
import { keyOf } from './informer/object-key.ts';
import type { Plan, Write } from './plan.ts';

export interface Surroundings {
  readonly client: Client;
  readonly cache: InformerCache;
  /** Under which the server records what was written. */
  readonly fieldManager: string;
}

/** What became of a write that was sent. */
export interface Written {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly uid: string | undefined;
  /** What the object became; undefined when it was deleted. */
  readonly resourceVersion: string | undefined;
}

export interface Performance {
  readonly written: readonly Written[];
  /** Why the plan ended before its last step. */
  readonly failure?: Error;
}

/** So many writes of a step are on their way at once: a step may have thousands. */
const atOnce = 64;

/**
 * Step after step. All writes of a step are tried; if one fails the plan ends there, and the next turn plans afresh from what
 * is then true. What would change nothing is not sent.
 */
export async function performPlan({ steps }: Plan, surroundings: Surroundings): Promise<Performance> {
  const written: Written[] = [];
  for (const step of steps) {
    const failures: Error[] = [];
    const pending = step.filter((write) => changesSomething(write, surroundings)).values();
    const lane = async (): Promise<void> => {
      for (const write of pending) {
        await send(write, surroundings).then(
          (result) => written.push(result),
          (error: unknown) => failures.push(asError(error)),
        );
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, step.length) }, lane));
    const failure = worstOf(failures);
    if (failure !== undefined) return { written, failure };
  }
  return { written };
}

function changesSomething(write: Write, { cache }: Surroundings): boolean {
  switch (write.verb) {
    case 'create':
    case 'delete':
      return true;
    case 'update': {
      const before = cache.find(write.kind)?.get(keyOf(write.object));
      return before === undefined || !isSame(before, write.object, write.subresource);
    }
    case 'patch': {
      const before = cache.find(write.kind)?.get(write.key);
      return (
        before === undefined || !isSame(before, applyMergePatch(before, write.patch) as KubeObject, write.subresource)
      );
    }
  }
}

/** Of a subresource only its own part counts. Parts that are not in the object cannot be compared. */
function isSame(before: Readonly<KubeObject>, after: KubeObject, subresource: string | undefined): boolean {
  if (subresource === undefined) return jsonEquals(before, after);
  const isOutdated = after.metadata.resourceVersion !== before.metadata.resourceVersion;
  return subresource === 'status' && !isOutdated && jsonEquals(before['status'] ?? null, after['status'] ?? null);
}

async function send(write: Write, { client, fieldManager }: Surroundings): Promise<Written> {
  const { kind } = write;
  switch (write.verb) {
    case 'create':
      return writtenAs(kind, await client.create(kind, write.object, { fieldManager }));
    case 'update': {
      const options = { fieldManager, ...inSubresource(write.subresource) };
      return writtenAs(kind, await client.update(kind, write.object, options));
    }
    case 'patch': {
      const options = { fieldManager, ...inSubresource(write.subresource) };
      return writtenAs(kind, await client.patch(kind, write.key, { type: 'merge', value: write.patch }, options));
    }
    case 'delete':
      await remove(client, write);
      return { kind, key: write.key, uid: write.uid, resourceVersion: undefined };
  }
}

/** A write as the server answered it. */
export function writtenAs(kind: Kind, object: KubeObject): Written {
  const { uid, resourceVersion } = object.metadata;
  return { kind, key: keyOf(object), uid, resourceVersion };
}

/** What is gone already need not be deleted. */
async function remove(client: Client, write: Write & { readonly verb: 'delete' }): Promise<void> {
  const { kind, key, verb: _, ...options } = write;
  await client.delete(kind, key, options).catch(ignoreNotFound);
}

function inSubresource(subresource: string | undefined): { readonly subresource?: string } {
  return subresource === undefined ? {} : { subresource };
}

/** A lost race says nothing new when something else is wrong, too. */
function worstOf(failures: readonly Error[]): Error | undefined {
  return failures.find((failure) => !isConflict(failure) && !isAlreadyExists(failure)) ?? failures[0];
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
