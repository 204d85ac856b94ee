import { itself, type Controller, type Plan } from '@flotilla/runtime';
import { networkKinds, type Ingress } from '../network-kinds.ts';
import { loadBalancerAddress } from '../services/load-balancer-address.ts';
import { statusPlan } from '../status/next-status.ts';

/** Gives every Ingress the address of its class: the Ingresses of a class share one load balancer. */
export const ingressController: Controller<Readonly<Ingress>> = {
  name: 'ingress-controller',
  watches: [{ kind: networkKinds.ingress, concerns: itself }],
  observe: (key, cache) => cache.get(networkKinds.ingress, key),
  decide: decideIngress,
};

function decideIngress(ingress: Readonly<Ingress>): Plan {
  const { spec = {}, status = {}, metadata } = ingress;
  const className = spec.ingressClassName ?? metadata.annotations?.['kubernetes.io/ingress.class'] ?? '';
  const loadBalancer = { ingress: [{ ip: loadBalancerAddress(`ingress class ${className}`, 'IPv4') }] };
  return statusPlan(networkKinds.ingress, ingress, { status: { ...status, loadBalancer } });
}
