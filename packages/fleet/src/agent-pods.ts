/** The pods of a Deployment `member-agent`, in which the agent of a member seems to run. */
import { fleetNamespace } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  apiVersionOf,
  deployments,
  ignoreAlreadyExists,
  keyText,
  pods,
  type JsonObject,
  type KubeObject,
  type Logger,
} from '@flotilla/kube';
import { InformerSet, type HeldInformer } from '@flotilla/runtime';
import { outcomeLabel } from '@flotilla/simulator';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { ensureFleetNamespace } from './install-hub.ts';

const name = 'member-agent';

/** The labels of KubeFleet's chart. */
const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': name };

/** Its pods become ready whatever other images do. */
const templateLabels = { ...labels, [outcomeLabel]: 'ready' };

/** Creates the Deployment. Changes nothing if there is one: the user may have scaled it. */
export async function ensureAgentDeployment(client: Client): Promise<void> {
  await ensureFleetNamespace(client);
  const deployment = {
    apiVersion: apiVersionOf(deployments),
    kind: deployments.kind,
    metadata: { name, namespace: fleetNamespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels: templateLabels }, spec: { containers: [{ name, image: name }] } },
    },
  };
  await client.create(deployments, deployment).catch(ignoreAlreadyExists);
}

interface AgentPodsOptions {
  /** `stop` closes it. */
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  /** Called when the first pod is ready, and when none is ready any more. */
  readonly changed: () => void;
}

/** Watches whether a pod of the agent is ready. */
export class AgentPods {
  readonly #ready = new Set<string>();
  readonly #client: Client;
  readonly #held: HeldInformer;
  readonly #unsubscribe: () => void;

  constructor({ changed, ...options }: AgentPodsOptions) {
    this.#client = options.client;
    this.#held = new InformerSet({ ...options, namespace: fleetNamespace }).hold(pods);
    this.#unsubscribe = this.#held.informer.subscribe((now, old) => {
      const { namespace, name: pod = '' } = (now ?? old)?.metadata ?? {};
      const before = this.areReady;
      if (now !== undefined && isReadyAgent(now)) this.#ready.add(keyText({ namespace, name: pod }));
      else this.#ready.delete(keyText({ namespace, name: pod }));
      if (before !== this.areReady) changed();
    });
  }

  get areReady(): boolean {
    return this.#ready.size > 0;
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#held.release();
    await this.#client.close();
  }
}

function isReadyAgent({ metadata, status }: Readonly<KubeObject>): boolean {
  if (metadata.labels?.['app.kubernetes.io/name'] !== name || metadata.deletionTimestamp !== undefined) return false;
  const { conditions } = (status ?? {}) as { readonly conditions?: readonly JsonObject[] };
  return conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') ?? false;
}
