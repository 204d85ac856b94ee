/** The shape of a fleet in the database of its hub, so that a start without a file keeps it. ADR 21 says why it is there. */
import { fleetNamespace } from '@flotilla/api';
import type { StorageEngine } from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import {
  configMaps,
  ignoreNotFound,
  isJsonObject,
  jsonEquals,
  JsonError,
  parseJson,
  parseStoredJson,
  printYaml,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import { clustersIn } from '../cluster-store.ts';
import { shapeOfMembers, type FleetShape, type MemberShape } from '../file/fleet-shape.ts';

const name = 'flotilla-fleet';
const field = 'fleet.yaml';
/** JSON. Only while members leave. */
const leavingField = 'leaving';

/** What the hub knows of its fleet. */
export interface StoredFleet {
  readonly shape: FleetShape;
  readonly leaving: readonly LeavingMember[];
}

/** A member that a former shape had, and that has not left yet. */
export type LeavingMember = Pick<MemberShape, 'name' | 'serviceAccount' | 'kubeconfig' | 'kubeContext'>;

/** The stored fleet file cannot be used. */
export class UnusableShape extends Error {
  override readonly name = 'UnusableShape';
}

/** Reads it before the server of the hub starts. Undefined in a new directory. */
export async function storedFleet(engine: StorageEngine): Promise<StoredFleet | undefined> {
  if (!engine.has('hub')) return undefined;
  const entry = engine.store('hub').get({ collection: 'configmaps', name: `${fleetNamespace}/${name}` });
  if (entry === undefined) return fleetOfOlderRelease(engine);
  const { data } = parseStoredJson(Buffer.from(entry.bytes).toString()) as { readonly data?: JsonObject };
  const { [field]: text, [leavingField]: leaving } = isJsonObject(data) ? data : {};
  return { shape: await parsedShape(text), leaving: parsedLeaving(leaving) };
}

async function parsedShape(text: JsonValue | undefined): Promise<FleetShape> {
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

/** Ignores what a user has broken. */
function parsedLeaving(text: JsonValue | undefined): LeavingMember[] {
  try {
    const { value } = parseJson(typeof text === 'string' ? text : '[]');
    return Array.isArray(value) ? value.filter(isLeavingMember) : [];
  } catch (error) {
    if (error instanceof JsonError) return [];
    throw error;
  }
}

function isLeavingMember(value: JsonValue): value is JsonObject & LeavingMember {
  if (!isJsonObject(value)) return false;
  const { name: member, serviceAccount, kubeconfig = '', kubeContext = '' } = value;
  return [member, serviceAccount, kubeconfig, kubeContext].every((text) => typeof text === 'string');
}

/** A number of members must not replace what a user has written in a file. Throws UnusableShape. */
export function refuseToReplace({ file }: FleetShape): void {
  const { members = [], ...others } = file;
  const isPlain = Array.isArray(members) && members.every((member) => isJsonObject(member) && isNamed(member));
  if (isPlain && Object.keys(others).length === 0) return;
  throw new UnusableShape(
    'the data directory has a fleet from a file, which a number of members would replace; start with a file',
  );
}

/** Whether a member has nothing but a name. */
function isNamed(member: JsonObject): boolean {
  return Object.keys(member).every((name) => name === 'name' || name === 'names');
}

/** Older releases kept no shape: all members had the default one. */
function fleetOfOlderRelease(engine: StorageEngine): StoredFleet | undefined {
  const names = clustersIn(engine.names());
  return names.length > 0 ? { shape: shapeOfMembers(names), leaving: [] } : undefined;
}

/** Writes nothing if the same is stored. */
export async function storeFleet(client: Client, { shape, leaving }: StoredFleet): Promise<void> {
  const data = {
    [field]: printYaml(shape.file),
    ...(leaving.length > 0 && { [leavingField]: stringifyJson(leaving as unknown as JsonValue) }),
  };
  const metadata = { name, namespace: fleetNamespace };
  const stored = await client.get(configMaps, metadata).catch(ignoreNotFound);
  if (stored === undefined) await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  else if (!jsonEquals(stored.data ?? {}, data)) await client.update(configMaps, { ...stored, data });
}
