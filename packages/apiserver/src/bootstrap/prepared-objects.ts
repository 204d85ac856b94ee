/**
 * Objects of a new server, made ahead by a server of the same release. To store their bytes takes a few milliseconds; to create them
 * with requests, on code that has never run, takes most of a first start. See docs/adr/0030-objects-of-a-new-hub-are-prepared.md.
 *
 * In the text each object has two lines: its key and header, and its stored JSON. UIDs, times and revisions are placeholders.
 */
import { formatTime, stringifyJson, type JsonObject } from '@flotilla/kube';
import { definitionCollection } from '../resources/definition-kind.ts';
import { encodeText, textOf } from '../resources/object-bytes.ts';
import { markSettled } from '../resources/settled-definitions.ts';
import type { Entry, Header, Key, Put, Snapshot, Store } from '../store/store.ts';

/** Namespaces first. Objects of other collections depend on addresses or flags of one server, or on the date. */
const preparedCollections: readonly string[] = [
  'namespaces',
  'serviceaccounts',
  'nodes',
  'storageclasses.storage.k8s.io',
  'priorityclasses.scheduling.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  definitionCollection,
];

const placeholders = /\{\{(?:now|root certificate|uid (\d+))\}\}/g;

/** The first of its kind in an object: only kind, apiVersion, name, namespace and UID precede it. */
const revisionField = /"resourceVersion":"(\d+)"/;

interface PreparedLine {
  readonly key: Key;
  readonly header: Header;
}

/** What differs between servers of the same release. */
export interface PreparedValues {
  /** The time of all writes. */
  readonly now: Date;
  /** The CA that pods verify the server with, PEM. */
  readonly rootCertificate: string;
}

/** Writes down the objects of a snapshot that another one does not have. */
export function prepareObjects(
  snapshot: Snapshot,
  { now, rootCertificate }: PreparedValues,
  except?: Snapshot,
): string {
  const entries = preparedCollections
    .flatMap((collection) => [...snapshot.range(collection, '')])
    .concat([...snapshot.range('configmaps', '')].filter(({ key }) => key.name.endsWith('/kube-root-ca.crt')))
    .filter(({ key }) => except?.get(key) === undefined);
  const text = entries.map(linesOf).join('');
  if (text.search(placeholders) >= 0) throw new Error('an object contains a placeholder of prepared objects');
  return entries
    .reduce((all, { header }, index) => all.replaceAll(header.uid, `{{uid ${index}}}`), text)
    .replaceAll(`"${formatTime(now)}"`, '"{{now}}"')
    .replaceAll(inString(rootCertificate), '{{root certificate}}');
}

function linesOf({ key, header, bytes }: Entry): string {
  return `${stringifyJson({ key, header } as unknown as JsonObject)}\n${textOf(bytes)}`;
}

/** As it is within a string of JSON. */
function inString(text: string): string {
  return stringifyJson(text).slice(1, -1);
}

/** Stores prepared objects in one transaction. None of them may exist. */
export async function storePrepared(
  store: Store,
  text: string,
  { now, rootCertificate, uid }: PreparedValues & { readonly uid: () => string },
): Promise<void> {
  const [time, certificate, uids] = [formatTime(now), inString(rootCertificate), [] as string[]];
  const filled = text.replaceAll(placeholders, (placeholder: string, index?: string) => {
    if (index !== undefined) return (uids[Number(index)] ??= uid());
    return placeholder === '{{now}}' ? time : certificate;
  });
  const lines = filled.split('\n');
  const writes: Put[] = [];
  for (let line = 0; line + 1 < lines.length; line += 2) writes.push(putOf(lines[line]!, lines[line + 1]!));
  const { entries = [], committed } = store.accept(writes);
  for (const entry of entries) if (entry.key.collection === definitionCollection) markSettled(entry);
  await committed;
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
