import type { KubeObject } from '@flotilla/kube';
import type { ServiceFields, ServiceSpec } from '../kinds/core-services/service-fields.ts';
import { amount, one } from './amounts.ts';
import type { QuotaEvaluator } from './evaluator.ts';

const names = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

export const serviceEvaluator: QuotaEvaluator = {
  isCounted: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matchingNames: (quotaNames) => names.filter((name) => quotaNames.has(name)),
  usageOf(object) {
    const { spec = {} } = object as KubeObject & Partial<ServiceFields>;
    return new Map([
      ['count/services', one],
      ['services', one],
      ['services.loadbalancers', amount(spec.type === 'LoadBalancer' ? 1 : 0)],
      ['services.nodeports', amount(nodePortsOf(spec))],
    ]);
  },
};

/** Ports count before they are allocated. */
function nodePortsOf({ type, ports = [], allocateLoadBalancerNodePorts }: ServiceSpec): number {
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  const isOnDemand = type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false;
  return isOnDemand ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}
