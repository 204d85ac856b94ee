/** Objects that are never placed, because the hub makes them itself and each cluster makes its own. */
import { isJsonObject, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';

export interface SelectableRules {
  /** Whether workloads run on the hub, so that its claims belong to them. KubeFleet's `--enable-workload`. */
  readonly runsWorkloads: boolean;
  /** Whether the hub has a Service with this key. */
  readonly hasService: (key: ObjectKey) => boolean;
}

type Rule = (object: Readonly<KubeObject>, rules: SelectableRules) => boolean;

const hasNoOwner: Rule = ({ metadata: { ownerReferences } }) =>
  !Array.isArray(ownerReferences) || ownerReferences.length === 0;

/** By `group/version/Kind`; other kinds have no rule. */
const ruleByKind: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['apps/v1/ReplicaSet', hasNoOwner],
  ['apps/v1/ControllerRevision', hasNoOwner],
  ['/v1/ConfigMap', ({ metadata: { name } }) => name !== 'kube-root-ca.crt'],
  ['/v1/ServiceAccount', ({ metadata: { name } }) => name !== 'default'],
  ['/v1/Secret', (object) => object['type'] !== 'kubernetes.io/service-account-token'],
  ['/v1/PersistentVolumeClaim', (_object, { runsWorkloads }) => !runsWorkloads],
  ['/v1/Endpoints', ({ metadata: { namespace, name = '' } }, { hasService }) => !hasService({ namespace, name })],
  [
    'discovery.k8s.io/v1/EndpointSlice',
    ({ metadata: { labels } }) =>
      !isJsonObject(labels) || !Object.hasOwn(labels, 'endpointslice.kubernetes.io/managed-by'),
  ],
]);

export function isSelectable(kind: Kind, object: Readonly<KubeObject>, rules: SelectableRules): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false;
  return ruleByKind.get(`${kind.group}/${kind.version}/${kind.kind}`)?.(object, rules) ?? true;
}

/** Whether objects of this kind are placed only if there is no Service of the same name. */
export function dependsOnServices({ group, kind }: Pick<Kind, 'group' | 'kind'>): boolean {
  return group === '' && kind === 'Endpoints';
}
