/** Why a workload on a member is not available. The hub knows only that it is not; its pods say more. */
import {
  deployments,
  pods,
  printLabelSelector,
  type JsonObject,
  type Kind,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import type { Session } from '../session/session.ts';

/** An object as a Work and the status of a placement name it. */
export interface PlacedObject {
  readonly group?: string | undefined;
  readonly version?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface Workload extends KubeObject {
  spec?: { selector?: LabelSelectorObject };
  status?: WorkloadStatus;
}

interface WorkloadStatus extends JsonObject {
  conditions?: { type: string; status: string; message?: string }[];
}

/** The fields of a pod that are read here. */
export interface PodState extends KubeObject {
  status?: WorkloadStatus & {
    initContainerStatuses?: ContainerState[];
    containerStatuses?: ContainerState[];
  };
}

interface ContainerState extends JsonObject {
  image?: string;
  state?: { waiting?: { reason?: string; message?: string } };
}

const apps = { group: 'apps', version: 'v1', namespaced: true } as const;
const workloads: readonly Kind<Workload>[] = [
  deployments,
  { ...apps, kind: 'StatefulSet', plural: 'statefulsets' },
  { ...apps, kind: 'DaemonSet', plural: 'daemonsets' },
];

const podStates: Kind<PodState> = pods;

/** A member that does not answer by then keeps the user waiting for nothing. */
const patienceMs = 3000;
const maxPods = 500;

/** Asks the member, if the user has access to it. Undefined if it says no more than the hub: looking closer must not fail a command. */
export async function findProblem(
  { member, signal: session }: Pick<Session, 'member' | 'signal'>,
  cluster: string,
  { group, version, kind: name, namespace, name: object = '' }: PlacedObject,
): Promise<string | undefined> {
  const kind = workloads.find((one) => one.group === group && one.version === version && one.kind === name);
  if (kind === undefined || namespace === undefined) return undefined;
  const signal = AbortSignal.any([session, AbortSignal.timeout(patienceMs)]);
  try {
    const client = await member(cluster);
    if (client === undefined) return undefined;
    const workload = await client.get(kind, { namespace, name: object }, { signal });
    const labelSelector = printLabelSelector(workload.spec?.selector);
    const { items } = await client.list(podStates, {
      namespace,
      labelSelector,
      limit: maxPods,
      signal,
    });
    return problemIn(items) ?? conditionIn(workload.status, 'ReplicaFailure', 'True');
  } catch {
    return undefined;
  }
}

/** The first pod that waits for more than its turn. */
export function problemIn(found: readonly PodState[]): string | undefined {
  const problems = found.flatMap(({ metadata, status }) => {
    const problem = waitingIn(status) ?? conditionIn(status, 'PodScheduled', 'False');
    return problem === undefined ? [] : [`pod ${metadata.name}: ${problem}`];
  });
  return problems.length > 1 ? `${problems[0]} (and ${problems.length - 1} more)` : problems[0];
}

/** Every container begins with these. */
const underWay: readonly string[] = ['ContainerCreating', 'PodInitializing'];
/** Their messages are long, and repeat the image. */
const failedPulls: readonly string[] = ['ErrImagePull', 'ImagePullBackOff'];

function waitingIn({ initContainerStatuses = [], containerStatuses = [] }: NonNullable<PodState['status']> = {}) {
  for (const { image, state } of [...initContainerStatuses, ...containerStatuses]) {
    const { reason, message } = state?.waiting ?? {};
    if (reason === undefined || underWay.includes(reason)) continue;
    const detail = failedPulls.includes(reason) ? image : message;
    return detail ? `${reason}: ${detail}` : reason;
  }
  return undefined;
}

function conditionIn({ conditions = [] }: WorkloadStatus = {}, type: string, status: string): string | undefined {
  return conditions.find((one) => one.type === type && one.status === status)?.message;
}
