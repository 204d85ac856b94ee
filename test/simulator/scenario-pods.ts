/** The pods of a scenario's namespace, for which the harness plays scheduler and kubelet. */
import { ignoreNotFound, type Kind } from '@flotilla/kube';
import { betweenPodsMs, type Cluster } from './cluster.ts';
import { kindOfPlural } from './kinds.ts';
import { chosenNodeOf, isPodState, stateOf, statusFor, type Pod, type PodState } from './pod-states.ts';

const pods = kindOfPlural('pods') as Kind<Pod>;

export class ScenarioPods {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  #addresses = 0;

  constructor(cluster: Cluster, namespace: string) {
    this.#cluster = cluster;
    this.#namespace = namespace;
  }

  /** `options` are the words after the state: `[COUNT] [together] [on NODE]`. Returns false if no pod can become so. */
  async set(prefix: string, state: string, options: readonly string[]): Promise<boolean> {
    const node = options.includes('on') ? options.at(options.indexOf('on') + 1) : undefined;
    const count = options.find((word) => /^\d+$/.test(word));
    const [wanted = '', exitCode] = state.split('=');
    const candidates = (await this.#list(prefix)).filter((pod) => canBecome(pod, wanted));
    const chosen = candidates.slice(0, count === undefined ? candidates.length : Number(count));
    for (const pod of chosen) {
      if (wanted === 'gone') await this.#delete(pod, { gracePeriodSeconds: 0 });
      else if (wanted === 'deleted') await this.#delete(pod);
      else if (wanted === 'evicted') await this.evict(pod.metadata.name ?? '');
      else if (isPodState(wanted))
        await this.#setState(pod, wanted, node, Number(exitCode ?? defaultExitCodes[wanted]));
      else throw new Error(`unknown state of pods: ${state}`);
      if (!options.includes('together')) await this.#cluster.settle(this.#namespace, betweenPodsMs);
    }
    return chosen.length > 0;
  }

  async evict(name: string): Promise<void> {
    await this.#cluster.client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${this.#namespace}/pods/${name}/eviction`,
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: this.#namespace } },
    });
  }

  async removeAll(): Promise<void> {
    for (const pod of await this.#list('')) await this.#delete(pod, { gracePeriodSeconds: 0 });
  }

  async #setState(pod: Pod, state: PodState, node: string | undefined, exitCode: number): Promise<void> {
    const { name = '' } = pod.metadata;
    if (pod.spec?.nodeName === undefined) await this.#bind(name, node ?? chosenNodeOf(pod) ?? 'node-1');
    const podIP = pod.status?.podIP ?? this.#nextAddress();
    const value = { status: statusFor(pod, state, { now: this.#cluster.now(), podIP, exitCode }) };
    const options = { fieldManager: 'kubelet', subresource: 'status' };
    await this.#cluster.client.patch(pods, { namespace: this.#namespace, name }, { type: 'merge', value }, options);
  }

  async #bind(name: string, node: string): Promise<void> {
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    await this.#cluster.client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${this.#namespace}/pods/${name}/binding`,
      body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target },
    });
  }

  #nextAddress(): string {
    const number = ++this.#addresses;
    return `10.1.${Math.floor(number / 250)}.${(number % 250) + 1}`;
  }

  /** In the order of their creation, those of a DaemonSet by node. */
  async #list(prefix: string): Promise<Pod[]> {
    const { items } = await this.#cluster.client.list(pods, { namespace: this.#namespace });
    const orderOf = (pod: Pod): string =>
      `${String(pod.metadata.creationTimestamp)} ${chosenNodeOf(pod) ?? ''} ${pod.metadata.name}`;
    return items
      .filter(({ metadata }) => metadata.name?.startsWith(prefix))
      .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  }

  async #delete({ metadata }: Pod, options: { gracePeriodSeconds?: number } = {}): Promise<void> {
    const key = { namespace: this.#namespace, name: metadata.name ?? '' };
    await this.#cluster.client.delete(pods, key, options).catch(ignoreNotFound);
  }
}

function canBecome(pod: Pod, state: string): boolean {
  const isTerminating = pod.metadata.deletionTimestamp !== undefined;
  if (['gone', 'deleted', 'evicted'].includes(state)) return isTerminating === (state === 'gone');
  const current = stateOf(pod);
  const isOver = current === 'failed' || current === 'succeeded';
  return !isOver && current !== state && !(isTerminating && state === 'ready');
}

const defaultExitCodes: Record<PodState, number> = { running: 0, ready: 0, failed: 1, succeeded: 0 };
