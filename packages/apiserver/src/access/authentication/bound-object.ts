import { apiErrors } from '@flotilla/kube';
import { splitApiVersion } from '../../resources/builtin-resource.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Entry, Store } from '../../store/store.ts';
import type { BoundObject } from './token-claims.ts';

export type ObjectReference = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
};

interface Call {
  readonly server: { readonly store: Pick<Store, 'get'> };
  /** Name and namespace of the service account. */
  readonly info: { readonly namespace: string; readonly name: string };
}

/** The object that a new token is bound to; a pod with its node. */
export interface Bound {
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  readonly node?: BoundObject;
}

/** Finds the object that a token is to be bound to. Throws if it is missing, or has another UID. */
export function boundObject(call: Call, reference: ObjectReference): Bound {
  const { kind = '', apiVersion = '', name = '', uid } = reference;
  const { group, version } = splitApiVersion(apiVersion);
  const find = finders.get(group === '' ? kind : '');
  if (!find) {
    throw apiErrors.badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const { found, bound } = find(call, name);
  if (uid && uid !== found) {
    const hint = 'The object might have been deleted and then recreated';
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. ${hint}`;
    throw apiErrors.conflict({ group, resource: kind }, name, why);
  }
  return bound;
}

type Find = (call: Call, name: string) => { readonly found: string; readonly bound: Bound };

const finders: ReadonlyMap<string, Find> = new Map<string, Find>([
  ['Pod', findPod],
  ['Node', (call, name) => findPlain(call, 'nodes', name, (node) => ({ node }))],
  ['Secret', (call, name) => findPlain(call, 'secrets', name, (secret) => ({ secret }))],
]);

function findPlain(
  call: Call,
  resource: 'nodes' | 'secrets',
  name: string,
  bound: (object: BoundObject) => Bound,
): ReturnType<Find> {
  const { uid } = entryOf(call, resource, name).header;
  return { found: uid, bound: bound({ name, uid }) };
}

interface PodFields {
  readonly spec?: { readonly serviceAccountName?: string; readonly nodeName?: string };
}

function findPod(call: Call, name: string): ReturnType<Find> {
  const entry = entryOf(call, 'pods', name);
  const { spec: { serviceAccountName, nodeName = '' } = {} } = decodeStored(entry.bytes) as PodFields;
  const account = call.info.name;
  if (serviceAccountName !== account) {
    const why = 'to pod running with different serviceaccount name.';
    throw apiErrors.badRequest(`cannot bind token for serviceaccount "${account}" ${why}`);
  }
  const { uid } = entry.header;
  const pod = { name, uid };
  if (nodeName === '') return { found: uid, bound: { pod } };
  // The claims name the node even if it does not exist.
  const node = { name: nodeName, uid: storedEntry(call, 'nodes', nodeName)?.header.uid ?? '' };
  return { found: uid, bound: { pod, node } };
}

function entryOf(call: Call, resource: 'pods' | 'nodes' | 'secrets', name: string): Entry {
  const entry = storedEntry(call, resource, name);
  if (!entry) throw apiErrors.notFound({ resource, group: '' }, name);
  return entry;
}

function storedEntry({ server, info }: Call, resource: string, name: string): Entry | undefined {
  const key = resource === 'nodes' ? name : `${info.namespace}/${name}`;
  return server.store.get({ collection: resource, name: key });
}
