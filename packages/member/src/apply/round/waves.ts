/** The order in which kinds are applied: dependencies come first. Manifests of one wave are applied in parallel. */

const knownGroups: ReadonlySet<string> = new Set([
  '',
  'networking.k8s.io',
  'scheduling.k8s.io',
  'policy',
  'storage.k8s.io',
  'apiextensions.k8s.io',
  'rbac.authorization.k8s.io',
  'apps',
  'autoscaling',
  'apiregistration.k8s.io',
  'admissionregistration.k8s.io',
  'batch',
]);

/** Resources of each wave. */
const waves: readonly (readonly string[])[] = [
  ['namespaces', 'priorityclasses'],
  [
    'networkpolicies',
    'resourcequotas',
    'limitranges',
    'podsecuritypolicies',
    'poddisruptionbudgets',
    'serviceaccounts',
    'secrets',
    'configmaps',
    'storageclasses',
    'persistentvolumes',
    'persistentvolumeclaims',
    'customresourcedefinitions',
    'ingressclasses',
  ],
  ['clusterroles', 'roles'],
  ['clusterrolebindings', 'rolebindings'],
  [
    'services',
    'daemonsets',
    'pods',
    'replicationcontrollers',
    'replicasets',
    'deployments',
    'horizontalpodautoscalers',
    'statefulsets',
    'jobs',
    'cronjobs',
    'ingresses',
  ],
  ['apiservices', 'validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
];

/** Of custom resources and all other kinds. */
export const lastWave = 999;

const waveOfResource: ReadonlyMap<string, number> = new Map(
  waves.flatMap((resources, wave) => resources.map((resource) => [resource, wave])),
);

export interface WaveResource {
  readonly group: string;
  readonly plural: string;
}

export function waveOf({ group, plural }: WaveResource): number {
  return (knownGroups.has(group) ? waveOfResource.get(plural) : undefined) ?? lastWave;
}

/** The manifests by wave, without empty waves; inside a wave they keep their order. */
export function inWaves<T extends { readonly kind: WaveResource }>(manifests: readonly T[]): T[][] {
  const byWave = Map.groupBy(manifests, ({ kind }) => waveOf(kind));
  return [...byWave].sort(([a], [b]) => a - b).map(([, manifestsOfWave]) => manifestsOfWave);
}
