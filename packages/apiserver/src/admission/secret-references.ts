/** Where a pod names Secrets, and which of them its service account lets it name. */
import type { ContainerFields, PodSpecFields, VolumeFields } from '@flotilla/builtins';
import type { ServiceAccountFields } from './service-account.ts';

export function hasSecretReference(spec: PodSpecFields): boolean {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return (
    (spec.imagePullSecrets ?? []).some(({ name }) => Boolean(name)) ||
    containers.some((container) => [...namedByContainer(container, '')].some(({ secret }) => secret !== '')) ||
    (spec.volumes ?? []).some((volume) => namedByVolume(volume).some((name) => Boolean(name)))
  );
}

/** Kinds of volumes that name a Secret by a reference of this field. */
const referencing = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'] as const;

interface Referencing {
  readonly secretRef?: { readonly name?: string };
}

function namedByVolume(volume: VolumeFields): (string | undefined)[] {
  return [
    volume.azureFile?.secretName,
    volume.secret?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    ...referencing.map((kind) => (volume[kind] as Referencing | undefined)?.secretRef?.name),
  ];
}

interface Named {
  readonly secret: string;
  /** Who names it, in words. */
  readonly where: string;
}

function* namedByContainer({ name, env = [], envFrom = [] }: ContainerFields, kind: string): Generator<Named> {
  for (const { name: variable, valueFrom } of env) {
    if (valueFrom?.secretKeyRef === undefined) continue;
    yield { secret: valueFrom.secretKeyRef.name ?? '', where: `${kind} ${name} with envVar ${variable}` };
  }
  for (const { secretRef } of envFrom) {
    if (secretRef !== undefined) yield { secret: secretRef.name ?? '', where: `${kind} ${name} with envFrom` };
  }
}

const enforceAnnotation = 'kubernetes.io/enforce-mountable-secrets';
const isTrue = /^(?:1|t|T|TRUE|true|True)$/;

/** Why the account does not let the pod have a Secret that it names; undefined when it does, or does not care. */
export function mountableSecretsRefusal(
  spec: PodSpecFields,
  account: ServiceAccountFields,
  which: 'all' | 'ephemeralContainers',
): string | undefined {
  if (!isTrue.test(account.metadata.annotations?.[enforceAnnotation] ?? '')) return undefined;
  const isNotAllowed = `is not allowed because service account ${account.metadata.name ?? ''} does not reference that`;
  const mountable = new Set((account.secrets ?? []).map(({ name = '' }) => name));
  for (const { secret, where } of which === 'all' ? namedByPod(spec) : namedByAll(spec, 'ephemeralContainers')) {
    if (mountable.has(secret)) continue;
    const reference = where === '' ? 'volume with' : `${where} referencing`;
    return `${reference} secret.secretName="${secret}" ${isNotAllowed} secret`;
  }
  if (which !== 'all') return undefined;
  const pullable = new Set((account.imagePullSecrets ?? []).map(({ name = '' }) => name));
  const pulls = spec.imagePullSecrets ?? [];
  const at = pulls.findIndex(({ name = '' }) => !pullable.has(name));
  return at < 0 ? undefined : `imagePullSecrets[${at}].name="${pulls[at]?.name ?? ''}" ${isNotAllowed} imagePullSecret`;
}

function* namedByPod(spec: PodSpecFields): Generator<Named> {
  for (const { secret } of spec.volumes ?? []) {
    if (secret !== undefined) yield { secret: secret.secretName ?? '', where: '' };
  }
  yield* namedByAll(spec, 'initContainers');
  yield* namedByAll(spec, 'containers');
}

const kinds = { initContainers: 'init container', containers: 'container', ephemeralContainers: 'ephemeral container' };

function* namedByAll(spec: PodSpecFields, field: keyof typeof kinds): Generator<Named> {
  for (const container of spec[field] ?? []) yield* namedByContainer(container, kinds[field]);
}
