import { isJsonObject, keyText, type JsonValue, type KubeObject } from '@flotilla/kube';
import type { Excerpt } from '@flotilla/runtime';
import { amountsIn, nothing, plus, type Amounts } from './amounts.ts';
import { RunningSum } from './running-sum.ts';

/** Pods that use something of a node; the others are not even sent. */
export const runningPods = 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed';

/** Clusters have many pods, and of each only this is counted. */
export const countedOfPods: Excerpt = {
  name: 'requests',
  of: ({ spec }) => ({ spec: { containers: requestsIn(spec).map((requests) => ({ resources: { requests } })) } }),
};

/** What the pods on all nodes have asked for. */
export class PodSums {
  readonly #requested = new RunningSum();

  get requested(): Amounts {
    return this.#requested.total;
  }

  /** As an informer tells it. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
    this.#requested.set(keyText({ namespace, name }), now && requestsOf(now));
  }
}

function requestsOf({ spec }: Readonly<KubeObject>): Amounts {
  return requestsIn(spec).map(amountsIn).reduce(plus, nothing);
}

/** Of its plain containers. */
function requestsIn(spec: JsonValue | undefined): (JsonValue | undefined)[] {
  const containers = isJsonObject(spec) && Array.isArray(spec['containers']) ? spec['containers'] : [];
  return containers
    .map((container) => (isJsonObject(container) ? container['resources'] : undefined))
    .map((resources) => (isJsonObject(resources) ? resources['requests'] : undefined));
}
