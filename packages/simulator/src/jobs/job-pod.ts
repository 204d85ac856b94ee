/** What the Job controller asks about a pod of a Job, and the pods that it creates. */
import { copyJson } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { kinds, type Container, type Job, type Pod, type PodTemplate } from '../kinds.ts';
import { podFromTemplate, podPrefix } from '../pods/pod-from-template.ts';
import { conditionOf, isTerminating } from '../pods/pod-state.ts';

/** Keeps a finished pod until the status of its Job counts it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

const indexKey = 'batch.kubernetes.io/job-completion-index';
const failureCountKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredFailureCountKey = 'batch.kubernetes.io/job-index-ignored-failure-count';
const indexVariable = 'JOB_COMPLETION_INDEX';

export function isIndexed({ spec }: Readonly<Job>): boolean {
  return spec?.completionMode === 'Indexed';
}

export function isTracked({ metadata }: Readonly<Pod>): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** Removes the finalizer if the pod is as observed. */
export function untrack({ metadata }: Readonly<Pod>): Write {
  const { namespace, name = '', uid = '', resourceVersion = '', finalizers = [] } = metadata;
  const patch = {
    metadata: { uid, resourceVersion, finalizers: finalizers.filter((finalizer) => finalizer !== trackingFinalizer) },
  };
  return { verb: 'patch', kind: kinds.pod, key: { namespace, name }, patch };
}

/** Undefined if the pod has none. */
export function completionIndexOf({ metadata }: Readonly<Pod>): number | undefined {
  return naturalOf(metadata.annotations?.[indexKey]);
}

/** How many pods of its index failed before it. */
export function earlierFailuresOf({ metadata }: Readonly<Pod>): { readonly counted: number; readonly ignored: number } {
  const { annotations } = metadata;
  return {
    counted: naturalOf(annotations?.[failureCountKey]) ?? 0,
    ignored: naturalOf(annotations?.[ignoredFailureCountKey]) ?? 0,
  };
}

function naturalOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\+?\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** With a failure policy or if it says so, a Job replaces pods only after they have failed. */
export function replacesOnlyFailed({ spec }: Readonly<Job>): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** A pod that is being deleted counts as failed, unless the Job waits for its end. */
export function isFailed(pod: Readonly<Pod>, job: Readonly<Job>): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Failed') return true;
  return !replacesOnlyFailed(job) && isTerminating(pod) && phase !== 'Succeeded';
}

/** When it ended, as exactly as its status shows. In milliseconds since 1970. */
export function finishTimeOf(pod: Readonly<Pod>): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  const ready = conditionOf(pod, 'Ready');
  const candidates = [
    containersFinishTime(pod),
    ready?.status === 'False' ? Date.parse(ready.lastTransitionTime ?? '') : Number.NaN,
    Date.parse(deletionTimestamp ?? '') - deletionGracePeriodSeconds * 1000,
    Date.parse(creationTimestamp ?? ''),
  ];
  return candidates.find((time) => !Number.isNaN(time)) ?? 0;
}

/** The last end of a container; NaN if one has not ended. */
function containersFinishTime({ spec, status }: Readonly<Pod>): number {
  const isSidecar = (name: string | undefined): boolean =>
    spec?.initContainers?.some((container) => container.name === name && container.restartPolicy === 'Always') === true;
  const sidecars = (status?.initContainerStatuses ?? []).filter(({ name }) => isSidecar(name));
  const times = [...(status?.containerStatuses ?? []), ...sidecars].map(({ state }) =>
    Date.parse(state?.terminated?.finishedAt ?? ''),
  );
  return times.length === 0 ? Number.NaN : times.reduce((latest, time) => Math.max(latest, time));
}

/** The template of a pod, with what the Job adds. Made once for all pods of a plan. */
export function trackedTemplate(job: Readonly<Job>): PodTemplate {
  const template = job.spec?.template ?? {};
  const { finalizers = [], ...metadata } = template.metadata ?? {};
  return {
    ...template,
    metadata: { ...metadata, finalizers: [...new Set([...finalizers, trackingFinalizer])] },
    ...(isIndexed(job) && template.spec && { spec: withIndexVariable(template.spec) }),
  };
}

function withIndexVariable(spec: NonNullable<PodTemplate['spec']>): NonNullable<PodTemplate['spec']> {
  const variable = { name: indexVariable, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } } };
  const extend = (container: Container): Container =>
    container.env?.some(({ name }) => name === indexVariable) === true
      ? container
      : { ...container, env: [...(container.env ?? []), variable] };
  const { containers, initContainers } = spec;
  return {
    ...(copyJson(spec) as typeof spec),
    ...(containers && { containers: containers.map(extend) }),
    ...(initContainers && { initContainers: initContainers.map(extend) }),
  };
}

/** The next pod of a Job: with a name that none of `takenNames` is. Adds its name to them. */
export function newPod(
  job: Readonly<Job>,
  template: Readonly<PodTemplate>,
  index: number | undefined,
  failures: { readonly counted: number; readonly ignored: number } | undefined,
  takenNames: Set<string>,
): Pod {
  const prefix =
    index === undefined ? podPrefix(job.metadata.name ?? '') : prefixOfIndex(job.metadata.name ?? '', index);
  let pod: Pod;
  let ordinal = takenNames.size;
  do pod = podFromTemplate(template, kinds.job, job, ordinal++, prefix);
  while (takenNames.has(pod.metadata.name ?? ''));
  takenNames.add(pod.metadata.name ?? '');
  if (index === undefined) return pod;
  const { metadata, spec } = pod;
  const counts: Record<string, string> =
    failures === undefined
      ? {}
      : {
          [failureCountKey]: `${failures.counted}`,
          ...(failures.ignored > 0 && { [ignoredFailureCountKey]: `${failures.ignored}` }),
        };
  return {
    ...pod,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [indexKey]: `${index}` },
      annotations: { ...metadata.annotations, [indexKey]: `${index}`, ...counts },
    },
    spec: { ...spec, hostname: `${job.metadata.name}-${index}` },
  };
}

/** `NAME-INDEX-`, with the name shortened so that five characters fit behind it. */
function prefixOfIndex(jobName: string, index: number): string {
  const suffix = `-${index}-`;
  return `${jobName.slice(0, 58 - suffix.length)}${suffix}`;
}
