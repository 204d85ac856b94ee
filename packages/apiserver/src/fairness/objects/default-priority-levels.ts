import type { JsonObject } from '@flotilla/kube';
import type { BootstrapObject } from '../../own-requests/ensure-object.ts';
import { flowControlProducer, producedAnnotations } from './flow-control-owner.ts';

export const defaultPriorityLevels: readonly BootstrapObject[] = [
  level('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
  limitedLevel('catch-all', { shares: 5, lendable: 0 }),
  limitedLevel('global-default', { shares: 20, lendable: 50, queues: 128, handSize: 6 }),
  limitedLevel('leader-election', { shares: 10, lendable: 0, queues: 16, handSize: 4 }),
  limitedLevel('node-high', { shares: 40, lendable: 25, queues: 64, handSize: 6 }),
  limitedLevel('system', { shares: 30, lendable: 33, queues: 64, handSize: 6 }),
  limitedLevel('workload-high', { shares: 40, lendable: 50, queues: 128, handSize: 6 }),
  limitedLevel('workload-low', { shares: 100, lendable: 90, queues: 128, handSize: 6 }),
];

interface Limits {
  readonly shares: number;
  readonly lendable: number;
  /** Without queues, requests over the limit are rejected. */
  readonly queues?: number;
  readonly handSize?: number;
}

function limitedLevel(name: string, { shares, lendable, queues, handSize = 0 }: Limits): BootstrapObject {
  const limitResponse: JsonObject =
    queues === undefined ? { type: 'Reject' } : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } };
  const limited = { nominalConcurrencyShares: shares, lendablePercent: lendable, limitResponse };
  return level(name, { type: 'Limited', limited });
}

function level(name: string, spec: JsonObject): BootstrapObject {
  return {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    manager: flowControlProducer,
    object: {
      kind: 'PriorityLevelConfiguration',
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      metadata: { name, annotations: producedAnnotations },
      spec,
    },
  };
}
