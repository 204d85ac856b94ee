import { qualified, rbacGroup, type ApiHandler, type KubeObject } from '@flotilla/kube';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Store } from '../../store/store.ts';
import { send, serverRequest } from '../../own-requests/server-request.ts';
import { bootstrapBindings, bootstrapRoles } from './bootstrap-policy.ts';
import { reconciledBinding, reconciledRole } from './reconcile.ts';

/** Creates missing roles and bindings of the bootstrap policy, and adds what the stored ones lack. */
export async function ensurePolicy(handle: ApiHandler, store: Store): Promise<void> {
  const expected = [...bootstrapRoles(), ...bootstrapBindings()];
  await Promise.all(expected.map((object) => ensureObject(handle, store, object)));
}

async function ensureObject(handle: ApiHandler, store: Store, expected: KubeObject): Promise<void> {
  const plural = `${expected.kind.toLowerCase()}s`;
  const { name = '', namespace } = expected.metadata;
  const entry = store.newest({
    collection: qualified(plural, rbacGroup),
    name: namespace === undefined ? name : `${namespace}/${name}`,
  });
  const path = `/apis/${rbacGroup}/v1${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`;
  const wanted = entry ? reconciled(decodeStored(entry.bytes), expected) : expected;
  if (!wanted) return;
  const query = 'fieldManager=kube-apiserver';
  if (entry && wanted !== 'recreate') {
    await send(handle, serverRequest('PUT', `${path}/${name}`, { query, object: wanted }));
    return;
  }
  if (entry) await send(handle, serverRequest('DELETE', `${path}/${name}`));
  await send(handle, serverRequest('POST', path, { query, object: expected }));
}

function reconciled(stored: KubeObject, expected: KubeObject): KubeObject | 'recreate' | undefined {
  const isBinding = expected.kind.endsWith('Binding');
  return isBinding ? reconciledBinding(stored, expected) : reconciledRole(stored, expected);
}
