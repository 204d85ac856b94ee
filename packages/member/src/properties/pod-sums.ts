import { isJsonObject, keyText, type JsonValue, type KubeObject } from '@flotilla/kube';
import type { Excerpt } from '@flotilla/runtime';
import { amountsIn, plus, zeroAmounts, type Amounts } from './amounts.ts';
import { RunningSum } from './running-sum.ts';

/** Selects pods that use resources of a node, so that the server sends no others. */
export const runningPods = 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed';

/** The fields that are counted, to save memory in clusters with many pods. */
export const countedOfPods: Excerpt = {
  name: 'requests',
  of: ({ spec }) => ({ spec: { containers: requestsIn(spec).map((requests) => ({ resources: { requests } })) } }),
};

/** The resource requests of all pods on nodes. */
export class PodSums {
  readonly #requested = new RunningSum();

  get requested(): Amounts {
    return this.#requested.total;
  }

  /** Called by an informer. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
    this.#requested.set(keyText({ namespace, name }), now && requestsOf(now));
  }
}

function requestsOf({ spec }: Readonly<KubeObject>): Amounts {
  return requestsIn(spec).map(amountsIn).reduce(plus, zeroAmounts);
}

/** Ignores init and ephemeral containers. */
function requestsIn(spec: JsonValue | undefined): (JsonValue | undefined)[] {
  const containers = isJsonObject(spec) && Array.isArray(spec['containers']) ? spec['containers'] : [];
  return containers
    .map((container) => (isJsonObject(container) ? container['resources'] : undefined))
    .map((resources) => (isJsonObject(resources) ? resources['requests'] : undefined));
}
