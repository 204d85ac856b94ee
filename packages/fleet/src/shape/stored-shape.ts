/** The shape of a fleet in the database of its hub, so that a start without a file keeps it. ADR 21 says why it is there. */
import { fleetNamespace } from '@flotilla/api';
import type { StorageEngine } from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import {
  configMaps,
  ignoreNotFound,
  isJsonObject,
  jsonEquals,
  parseStoredJson,
  printYaml,
  type JsonObject,
} from '@flotilla/kube';
import { clustersIn } from '../cluster-store.ts';
import { shapeOfMembers, type FleetShape } from '../file/fleet-shape.ts';

const name = 'flotilla-fleet';
const field = 'fleet.yaml';

/** The stored fleet file cannot be used. */
export class UnusableShape extends Error {
  override readonly name = 'UnusableShape';
}

/** Reads it before the server of the hub starts. Undefined in a new directory. */
export async function storedShape(engine: StorageEngine): Promise<FleetShape | undefined> {
  if (!engine.has('hub')) return undefined;
  const entry = engine.store('hub').get({ collection: 'configmaps', name: `${fleetNamespace}/${name}` });
  if (entry === undefined) return shapeOfOlderRelease(engine);
  const { data } = parseStoredJson(Buffer.from(entry.bytes).toString()) as { readonly data?: JsonObject };
  const text = isJsonObject(data) ? data[field] : undefined;
  const { FleetFileError, parseFleetFile } = await import('../file/parse-fleet-file.ts');
  try {
    return parseFleetFile(typeof text === 'string' ? text : '', { name: field });
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error;
    throw new UnusableShape(
      `the ConfigMap ${fleetNamespace}/${name} of the hub holds an invalid fleet file; start with one of your own\n${error.message}`,
      { cause: error },
    );
  }
}

/** A number of members must not replace what a user has written in a file. Throws UnusableShape. */
export async function refuseToReplaceFile(engine: StorageEngine): Promise<void> {
  const { hub, members = [], ...others } = (await storedShape(engine))?.file ?? {};
  const isPlain = Array.isArray(members) && members.every((member) => isJsonObject(member) && isNamed(member));
  if (isPlain && hub === undefined && Object.keys(others).length === 0) return;
  throw new UnusableShape(
    'the data directory has a fleet from a file, which a number of members would replace; start with a file',
  );
}

/** Whether a member has nothing but a name. */
function isNamed(member: JsonObject): boolean {
  return Object.keys(member).every((name) => name === 'name' || name === 'names');
}

/** Older releases kept no shape: all members had the default one. */
function shapeOfOlderRelease(engine: StorageEngine): FleetShape | undefined {
  const names = clustersIn(engine.names());
  return names.length > 0 ? shapeOfMembers(names) : undefined;
}

/** Writes nothing if the same shape is stored. */
export async function storeShape(client: Client, { file }: FleetShape): Promise<void> {
  const data = { [field]: printYaml(file) };
  const metadata = { name, namespace: fleetNamespace };
  const stored = await client.get(configMaps, metadata).catch(ignoreNotFound);
  if (stored === undefined) await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  else if (!jsonEquals(stored.data ?? {}, data)) await client.update(configMaps, { ...stored, data });
}
