/** Objects that are never placed, because the hub makes them itself and each cluster makes its own. */
import { isJsonObject, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { outlineOf, type Outlined } from '@flotilla/runtime';

export interface SelectableRules {
  /** Whether workloads run on the hub, so that its claims belong to them. KubeFleet's `--enable-workload`. */
  readonly runsWorkloads: boolean;
  /** Whether the hub has a Service with this key. */
  readonly hasService: (key: ObjectKey) => boolean;
}

/** Reads an object, which may be large: only rules that need more than its outline do. */
export type ReadObject = (key: ObjectKey) => Readonly<KubeObject> | undefined;

type Rule = (object: Outlined, rules: SelectableRules, read: ReadObject) => boolean;

const hasNoOwner: Rule = ({ outline: { ownerUids = [] } }) => ownerUids.length === 0;

/** By `group/version/Kind`; other kinds have no rule. */
const ruleByKind: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['apps/v1/ReplicaSet', hasNoOwner],
  ['apps/v1/ControllerRevision', hasNoOwner],
  ['/v1/ConfigMap', ({ key }) => key.name !== 'kube-root-ca.crt'],
  ['/v1/ServiceAccount', ({ key }) => key.name !== 'default'],
  ['/v1/Secret', ({ key }, _rules, read) => read(key)?.['type'] !== 'kubernetes.io/service-account-token'],
  ['/v1/PersistentVolumeClaim', (_object, { runsWorkloads }) => !runsWorkloads],
  ['/v1/Endpoints', ({ key }, { hasService }) => !hasService(key)],
  ['discovery.k8s.io/v1/EndpointSlice', ({ key }, _rules, read) => !isManagedSlice(read(key))],
]);

export function isSelectable(kind: Kind, object: Outlined, rules: SelectableRules, read: ReadObject): boolean {
  if (object.outline.deletionTimestamp !== undefined) return false;
  return ruleByKind.get(`${kind.group}/${kind.version}/${kind.kind}`)?.(object, rules, read) ?? true;
}

/** The same for an object that is at hand. */
export function isObjectSelectable(kind: Kind, object: Readonly<KubeObject>, rules: SelectableRules): boolean {
  const { namespace, name = '' } = object.metadata;
  const outlined = { key: namespace === undefined ? { name } : { namespace, name }, outline: outlineOf(object) };
  return isSelectable(kind, outlined, rules, () => object);
}

/** Whether objects of this kind are placed only if there is no Service of the same name. */
export function dependsOnServices({ group, kind }: Pick<Kind, 'group' | 'kind'>): boolean {
  return group === '' && kind === 'Endpoints';
}

function isManagedSlice(slice: Readonly<KubeObject> | undefined): boolean {
  const labels = slice?.metadata.labels;
  return isJsonObject(labels) && Object.hasOwn(labels, 'endpointslice.kubernetes.io/managed-by');
}
