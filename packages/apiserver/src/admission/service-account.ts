import type { PodFields } from '@flotilla/builtins';
import { apiErrors, type KubeObject } from '@flotilla/kube';
import { forbidden, type Admission, type Attributes } from './admission.ts';
import { hasSecretReference, mountableSecretsRefusal } from './secret-references.ts';
import { namespacedObject } from './stored-objects.ts';
import { mountTokenVolume } from './token-volume.ts';

export interface ServiceAccountFields extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

const collection = 'serviceaccounts';
const defaultName = 'default';
const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** A controller creates the default account of a new namespace. Earlier requests wait for it this long. */
const maxWaitMs = 1500;

/** Requires an existing service account for every pod, and mounts its token. */
export const serviceAccount: Admission = {
  name: 'ServiceAccount',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    if (!isNewPod(attributes)) return;
    const pod = attributes.object as PodFields;
    if (isMirror(pod)) return checkMirror(attributes, pod);
    setName(pod);
    const name = pod.spec.serviceAccountName ?? '';
    const account = accountOf(attributes, name);
    if (account) return applyAccount(attributes, pod, account);
    if (name !== defaultName) throw noAccount(attributes, name);
    return defaultAccountCreated(attributes).then(() => applyAccount(attributes, pod, existing(attributes, name)));
  },
  validate(attributes) {
    const { resource, subresource, operation, object } = attributes;
    const pod = object as PodFields;
    if (isNewPod(attributes)) {
      if (isMirror(pod)) checkMirror(attributes, pod);
      else checkAccount(attributes, pod);
    } else if (resource.collection === 'pods' && subresource === 'ephemeralcontainers' && operation === 'UPDATE') {
      checkAccount(attributes, pod);
    }
  },
};

function isNewPod({ resource, subresource, operation }: Attributes): boolean {
  return resource.collection === 'pods' && subresource === '' && operation === 'CREATE';
}

/** A mirror pod shows a static pod of the kubelet, which ignores changes. */
function isMirror({ metadata }: PodFields): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, mirrorAnnotation);
}

function checkMirror(attributes: Attributes, { spec }: PodFields): void {
  if (spec.serviceAccountName) throw forbidden(attributes, 'a mirror pod may not reference service accounts');
  if (hasSecretReference(spec)) throw forbidden(attributes, 'a mirror pod may not reference secrets');
  const projects = (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
  );
  if (projects) throw forbidden(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}

/** The deprecated field is always set beside the new one. */
function setName({ spec }: PodFields): void {
  if (spec.serviceAccountName) return;
  spec.serviceAccountName = defaultName;
  spec.serviceAccount = defaultName;
}

function applyAccount({ server }: Attributes, { spec }: PodFields, account: ServiceAccountFields): void {
  const mounts = spec['automountServiceAccountToken'] ?? account.automountServiceAccountToken ?? true;
  if (mounts === true) mountTokenVolume(spec, server.random);
  if ((spec.imagePullSecrets ?? []).length > 0 || !account.imagePullSecrets?.length) return;
  spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => (name === '' ? {} : { name }));
}

function checkAccount(attributes: Attributes, { metadata, spec }: PodFields): void {
  const { namespace, subresource } = attributes;
  if (!spec.serviceAccountName) {
    throw forbidden(attributes, `no service account specified for pod ${namespace}/${metadata.name ?? ''}`);
  }
  const account = existing(attributes, spec.serviceAccountName);
  const which = subresource === 'ephemeralcontainers' ? 'ephemeralContainers' : 'all';
  const refusal = mountableSecretsRefusal(spec, account, which);
  if (refusal === undefined) return;
  // For added ephemeral containers, Kubernetes returns an error without a reason.
  throw which === 'all' ? forbidden(attributes, refusal) : apiErrors.unknown(refusal);
}

function accountOf({ server, namespace }: Attributes, name: string): ServiceAccountFields | undefined {
  return namespacedObject(server, collection, namespace, name);
}

function existing(attributes: Attributes, name: string): ServiceAccountFields {
  const account = accountOf(attributes, name);
  if (account === undefined) throw noAccount(attributes, name);
  return account;
}

function noAccount(attributes: Attributes, name: string): Error {
  const { message } = apiErrors.notFound({ group: '', resource: 'serviceaccount' }, name);
  return forbidden(attributes, `error looking up service account ${attributes.namespace}/${name}: ${message}`);
}

/** Resolves when the namespace has its default account, or after the maximum wait. */
function defaultAccountCreated(attributes: Attributes): Promise<void> {
  const { server, namespace } = attributes;
  const cursor = server.store.watch({ collection, prefix: `${namespace}/` }, server.store.revision);
  if (cursor === 'compacted') return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      cursor.close();
      resolve();
    };
    const cancel = server.after(maxWaitMs, done);
    const check = (): void => {
      if (accountOf(attributes, defaultName)) return done();
      let event = cursor.next();
      while (event !== undefined && event !== 'compacted') event = cursor.next();
      if (event === 'compacted') return done();
      cursor.onReady(check);
    };
    check();
  });
}
