/** Creates or updates CustomResourceDefinitions that are missing or different. */
import { ownDefinitionAnnotation } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  customResourceDefinitions,
  isAlreadyExists,
  isConflict,
  jsonEquals,
  type JsonObject,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';
import type { CustomResourceDefinition, DefinitionSpec } from '@flotilla/schema';

type StoredDefinition = CustomResourceDefinition & KubeObject;

const storedDefinitions = customResourceDefinitions as Kind<StoredDefinition>;

/** Another hub may install them at the same moment. */
const tries = 5;

export interface InstallOptions {
  readonly signal?: AbortSignal;
  /** Whether a stored definition stays as it is. Default: only if it is not ours. */
  readonly leaves?: (definition: CustomResourceDefinition) => boolean;
}

/** Resolves when all are established, with the number of writes. */
export async function installDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  { signal = new AbortController().signal, leaves = () => false }: InstallOptions = {},
): Promise<number> {
  for (let left = tries; ; left--) {
    try {
      return await install(client, definitions, leaves, signal);
    } catch (error) {
      if (left === 0 || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}

async function install(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  leaves: (definition: CustomResourceDefinition) => boolean,
  signal: AbortSignal,
): Promise<number> {
  const { items, resourceVersion } = await client.list(storedDefinitions, { signal });
  const stored = new Map(items.map((item) => [item.metadata.name, item]));
  const waiting = new Set<string>();
  const writes: Promise<unknown>[] = [];
  for (const definition of definitions) {
    const before = stored.get(definition.metadata.name);
    if (before === undefined || !isEstablished(before)) waiting.add(definition.metadata.name ?? '');
    if (before === undefined) writes.push(client.create(storedDefinitions, asObject(definition), { signal }));
    else if (!leaves(definition) && !isForeign(before, definition) && !isSame(definition.spec, before.spec)) {
      writes.push(client.update(storedDefinitions, withSpec(before, definition), { signal }));
    }
  }
  await Promise.all(writes);
  await untilEstablished(client, waiting, resourceVersion, signal);
  return writes.length;
}

/** OCM may have installed its own definitions, whose versions and fields its controllers need. */
function isForeign(stored: CustomResourceDefinition, wanted: CustomResourceDefinition): boolean {
  return isMarked(wanted) && !isMarked(stored);
}

function isMarked({ metadata }: CustomResourceDefinition): boolean {
  return metadata.annotations?.[ownDefinitionAnnotation] === 'true';
}

/** Adds the server's defaults to `wanted` before it compares. */
function isSame(wanted: DefinitionSpec, stored: DefinitionSpec): boolean {
  const { names } = wanted;
  const complete = {
    conversion: { strategy: 'None' },
    ...wanted,
    names: { singular: names.kind.toLowerCase(), listKind: `${names.kind}List`, ...names },
  };
  return jsonEquals(complete as unknown as JsonObject, stored as unknown as JsonObject);
}

async function untilEstablished(
  client: Client,
  waiting: Set<string>,
  resourceVersion: string,
  signal: AbortSignal,
): Promise<void> {
  if (waiting.size === 0) return;
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  for await (const { object } of client.watch(storedDefinitions, { resourceVersion, signal: until })) {
    if (isEstablished(object)) waiting.delete(object.metadata.name ?? '');
    if (waiting.size === 0) ending.abort();
  }
  signal.throwIfAborted();
  // The server ended the watch.
  if (waiting.size > 0) {
    throw new Error(`CustomResourceDefinitions are not established: ${[...waiting].sort().join(', ')}`);
  }
}

function isEstablished({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') ?? false;
}

function withSpec(before: StoredDefinition, { spec }: CustomResourceDefinition): StoredDefinition {
  return Object.assign({ ...before }, { spec });
}

function asObject(definition: CustomResourceDefinition): StoredDefinition {
  return definition as StoredDefinition;
}
