/** A pod of a DaemonSet belongs to a node before it is scheduled: its node affinity names the node. */
import { kinds, type DaemonSet, type NodeSelectorTerm, type Pod, type PodSpec, type PodTemplate } from '../kinds.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import { daemonTolerations } from './daemon-tolerations.ts';

export const revisionLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';
const nameField = 'metadata.name';

/** The template of the set's pods, without their nodes. */
export function daemonTemplate(set: Readonly<DaemonSet>, hash: string): PodTemplate {
  const template = set.spec?.template;
  const generation = templateGeneration(set);
  return {
    ...template,
    metadata: {
      ...template?.metadata,
      labels: {
        ...template?.metadata?.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        [revisionLabel]: hash,
      },
    },
    spec: { ...template?.spec, tolerations: daemonTolerations(template?.spec) },
  };
}

export function daemonPod(
  template: Readonly<PodTemplate>,
  set: Readonly<DaemonSet>,
  node: string,
  ordinal: number,
): Pod {
  const pod = podFromTemplate(template, kinds.daemonSet, set, ordinal);
  return { ...pod, spec: { ...pod.spec, affinity: affinityTo(node, template.spec) } };
}

function affinityTo(node: string, spec: Readonly<PodSpec> | undefined): NonNullable<PodSpec['affinity']> {
  const nodeSelectorTerms: NodeSelectorTerm[] = [{ matchFields: [{ key: nameField, operator: 'In', values: [node] }] }];
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms };
  return {
    ...spec?.affinity,
    nodeAffinity: { ...spec?.affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution },
  };
}

/** The node that the pod runs on or is meant for. */
export function nodeOf({ spec }: Readonly<Pod>): string | undefined {
  if (spec?.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = (required?.nodeSelectorTerms ?? []).flatMap(({ matchFields = [] }) => matchFields);
  const { values = [] } = fields.find(({ key, operator }) => key === nameField && operator === 'In') ?? {};
  return values.length === 1 ? values[0] : undefined;
}

/** Whether the pod has the set's present template. */
export function isUpdated({ metadata }: Readonly<Pod>, set: Readonly<DaemonSet>, hash: string): boolean {
  const { labels = {} } = metadata;
  const generation = templateGeneration(set);
  return labels[revisionLabel] === hash || (generation !== undefined && labels[generationLabel] === generation);
}

/** Older versions of Kubernetes numbered the templates. */
function templateGeneration({ metadata }: Readonly<DaemonSet>): string | undefined {
  const text = metadata.annotations?.[generationAnnotation];
  return text !== undefined && /^-?\d{1,18}$/.test(text) ? String(BigInt(text)) : undefined;
}

/** Those on a node first, then the oldest. */
export function inAgeOrder(pods: readonly Readonly<Pod>[]): Readonly<Pod>[] {
  const rank = ({ metadata, spec }: Readonly<Pod>): string =>
    `${spec?.nodeName ? 0 : 1} ${metadata.creationTimestamp ?? ''} ${metadata.name}`;
  return pods.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
