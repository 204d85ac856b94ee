/**
 * Objects of a new server, made ahead by a server of the same release. To store their bytes takes a few milliseconds; to create them
 * with requests, on code that has never run, takes most of a first start. See docs/adr/0030-objects-of-a-new-hub-are-prepared.md.
 *
 * In the text each object has two lines: its key and header, and its stored JSON. UIDs, times and revisions are placeholders.
 */
import { formatTime, stringifyJson, type JsonObject } from '@flotilla/kube';
import { encodeText, textOf } from '../resources/object-bytes.ts';
import type { Header, Key, Put, Snapshot, Store } from '../store/store.ts';

/** Namespaces first. Objects of other collections depend on keys, addresses or flags of one server. */
const preparedCollections: readonly string[] = [
  'namespaces',
  'serviceaccounts',
  'priorityclasses.scheduling.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
];

const timePlaceholder = '{{now}}';
const placeholders = /\{\{(?:now|uid (\d+))\}\}/g;

/** The first of its kind in an object: only kind, apiVersion, name, namespace and UID precede it. */
const revisionField = /"resourceVersion":"(\d+)"/;

interface PreparedLine {
  readonly key: Key;
  readonly header: Header;
}

export interface PrepareOptions {
  /** The time of all writes. */
  readonly now: Date;
  /** Objects that it has are left out. */
  readonly except?: Snapshot;
}

/** Writes down the objects of a snapshot. */
export function prepareObjects(snapshot: Snapshot, { now, except }: PrepareOptions): string {
  const entries = preparedCollections
    .flatMap((collection) => [...snapshot.range(collection, '')])
    .filter(({ key }) => except?.get(key) === undefined);
  const text = entries
    .map(({ key, header, bytes }) => `${stringifyJson({ key, header } as unknown as JsonObject)}\n${textOf(bytes)}`)
    .join('');
  if (text.search(placeholders) >= 0) throw new Error('an object contains a placeholder of prepared objects');
  const withTimes = text.replaceAll(`"${formatTime(now)}"`, `"${timePlaceholder}"`);
  return entries.reduce((all, { header }, index) => all.replaceAll(header.uid, `{{uid ${index}}}`), withTimes);
}

export interface PreparedValues {
  readonly now: Date;
  readonly uid: () => string;
}

/** Stores prepared objects in one transaction. None of them may exist. */
export async function storePrepared(store: Store, text: string, { now, uid }: PreparedValues): Promise<void> {
  const [time, uids] = [formatTime(now), [] as string[]];
  const filled = text.replaceAll(placeholders, (_, index?: string) =>
    index === undefined ? time : (uids[Number(index)] ??= uid()),
  );
  const lines = filled.split('\n');
  const writes: Put[] = [];
  for (let line = 0; line + 1 < lines.length; line += 2) writes.push(putOf(lines[line]!, lines[line + 1]!));
  await store.write(writes);
}

function putOf(first: string, object: string): Put {
  const { key, header } = JSON.parse(first) as PreparedLine;
  return {
    verb: 'put',
    key,
    header,
    expected: 0,
    encode: (revision) => encodeText(object.replace(revisionField, `"resourceVersion":"${revision}"`)),
  };
}
