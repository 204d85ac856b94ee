/** A placement and all objects that the hub has made for it, down to those on the members. Pure. */
import {
  bindingLabel,
  latestLabel,
  memberNamespace,
  resourceIndexLabel,
  resourceSnapshotIndexLabel,
  type Binding,
  type ManifestCondition,
  type Work,
} from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import { placementRows, stateOf } from '../placement-view/cluster-state.ts';
import type { FoundPlacement } from '../placement-view/find-placement.ts';

export interface TreeObjects extends FoundPlacement {
  /** Only their metadata is known. */
  readonly policySnapshots: readonly KubeObject[];
  readonly resourceSnapshots: readonly KubeObject[];
  readonly bindings: readonly Binding[];
  readonly works: readonly Work[];
  /** Why objects on members are not available, as far as the members say. */
  readonly problems: ReadonlyMap<ManifestCondition, string>;
}

export interface TreeNode {
  /** `Kind/name`, with what tells it from others. */
  readonly object: string;
  readonly state: string;
  readonly message: string;
  readonly children: readonly TreeNode[];
}

export function placementTree(objects: TreeObjects): TreeNode {
  const { family, placement, policySnapshots, resourceSnapshots, bindings } = objects;
  const rows = placementRows(family, placement);
  const open = rows.find(({ message }) => message !== '') ?? rows.at(0);
  const name = placement.metadata.namespace === undefined ? '' : ` (${placement.metadata.namespace})`;
  return {
    object: `${family.placement.kind}/${placement.metadata.name}${name}`,
    state: open?.state ?? '',
    message: '',
    children: [
      ...policySnapshots.map((one) => snapshotNode(family.policySnapshot.kind, one)),
      ...resourceSnapshots.map((one) => snapshotNode(family.resourceSnapshot.kind, one)),
      ...bindings
        .toSorted((a, b) => (a.spec.targetCluster < b.spec.targetCluster ? -1 : 1))
        .map((binding) => bindingNode(objects, binding)),
    ],
  };
}

function snapshotNode(kind: string, { metadata: { name = '', labels = {} } }: KubeObject): TreeNode {
  const index = labels[resourceIndexLabel];
  return {
    object: `${kind}/${name}${index === undefined ? '' : ` (index ${index})`}`,
    state: labels[latestLabel] === 'true' ? 'latest' : '',
    message: '',
    children: [],
  };
}

function bindingNode({ family, works, problems }: TreeObjects, { metadata, spec, status }: Binding): TreeNode {
  const isLeaving = spec.state === 'Unscheduled' || metadata.deletionTimestamp !== undefined;
  const { state, message } = stateOf(status?.conditions ?? [], spec.state);
  const namespace = memberNamespace(spec.targetCluster);
  const own = works.filter(
    (work) => work.metadata.namespace === namespace && work.metadata.labels?.[bindingLabel] === metadata.name,
  );
  return {
    object: `${family.binding.kind}/${metadata.name} (${spec.targetCluster})`,
    state: isLeaving ? 'leaving' : state,
    message,
    children: own.map((work) => workNode(work, problems)),
  };
}

function workNode({ metadata, status }: Work, problems: TreeObjects['problems']): TreeNode {
  const index = metadata.labels?.[resourceSnapshotIndexLabel];
  const { state, message } = stateOf(status?.conditions ?? [], 'not reported');
  return {
    object: `Work/${metadata.name}${index === undefined ? '' : ` (index ${index})`}`,
    state,
    message: (status?.manifestConditions ?? []).some(({ conditions }) => stateOf(conditions).message !== '')
      ? ''
      : message,
    children: (status?.manifestConditions ?? []).map((manifest) => manifestNode(manifest, problems.get(manifest))),
  };
}

function manifestNode(
  { identifier, conditions, driftDetails, diffDetails }: ManifestCondition,
  problem = '',
): TreeNode {
  const { kind = 'unknown', namespace, name = `manifest ${identifier.ordinal}` } = identifier;
  const { state, message } = stateOf(conditions, 'not reported');
  const drifts = driftDetails?.observedDrifts?.map(({ path }) => path) ?? [];
  const diffs = diffDetails?.observedDiffs?.map(({ path }) => path) ?? [];
  const changes = [
    ...(drifts.length > 0 ? [`drifted: ${drifts.join(', ')}`] : []),
    ...(diffs.length > 0 ? [`differs: ${diffs.join(', ')}`] : []),
  ];
  return {
    object: `${kind}/${name}${namespace ? ` (${namespace})` : ''}`,
    state,
    message: [message, problem, ...changes].filter((text) => text !== '').join('; '),
    children: [],
  };
}
