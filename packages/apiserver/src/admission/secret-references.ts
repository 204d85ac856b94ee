/** Finds the Secrets that a pod refers to, and checks which of them its service account allows. */
import type { ContainerFields, PodSpecFields, VolumeFields } from '@flotilla/builtins';
import type { ServiceAccountFields } from './service-account.ts';

export function hasSecretReference(spec: PodSpecFields): boolean {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return (
    (spec.imagePullSecrets ?? []).some(({ name }) => Boolean(name)) ||
    containers.some((container) => [...secretsOfContainer(container, '')].some(({ secret }) => secret !== '')) ||
    (spec.volumes ?? []).some((volume) => secretsOfVolume(volume).some((name) => Boolean(name)))
  );
}

/** Types of volumes with a `secretRef`. */
const volumesWithSecretRef = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'] as const;

interface WithSecretRef {
  readonly secretRef?: { readonly name?: string };
}

function secretsOfVolume(volume: VolumeFields): (string | undefined)[] {
  return [
    volume.azureFile?.secretName,
    volume.secret?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    ...volumesWithSecretRef.map((kind) => (volume[kind] as WithSecretRef | undefined)?.secretRef?.name),
  ];
}

interface SecretReference {
  readonly secret: string;
  /** What refers to it, for the error message. */
  readonly where: string;
}

function* secretsOfContainer(
  { name, env = [], envFrom = [] }: ContainerFields,
  kind: string,
): Generator<SecretReference> {
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

/** Why the account does not allow a Secret of the pod; undefined if it does, or does not enforce its list. */
export function mountableSecretsRefusal(
  spec: PodSpecFields,
  account: ServiceAccountFields,
  which: 'all' | 'ephemeralContainers',
): string | undefined {
  if (!isTrue.test(account.metadata.annotations?.[enforceAnnotation] ?? '')) return undefined;
  const isNotAllowed = `is not allowed because service account ${account.metadata.name ?? ''} does not reference that`;
  const mountable = new Set((account.secrets ?? []).map(({ name = '' }) => name));
  for (const { secret, where } of which === 'all'
    ? secretsOfPod(spec)
    : secretsOfContainers(spec, 'ephemeralContainers')) {
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

function* secretsOfPod(spec: PodSpecFields): Generator<SecretReference> {
  for (const { secret } of spec.volumes ?? []) {
    if (secret !== undefined) yield { secret: secret.secretName ?? '', where: '' };
  }
  yield* secretsOfContainers(spec, 'initContainers');
  yield* secretsOfContainers(spec, 'containers');
}

const kinds = { initContainers: 'init container', containers: 'container', ephemeralContainers: 'ephemeral container' };

function* secretsOfContainers(spec: PodSpecFields, field: keyof typeof kinds): Generator<SecretReference> {
  for (const container of spec[field] ?? []) yield* secretsOfContainer(container, kinds[field]);
}
