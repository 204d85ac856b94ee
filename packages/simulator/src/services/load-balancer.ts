import { jsonEquals, type JsonObject } from '@flotilla/kube';
import { itself, nothingToDo, type Controller, type Plan, type PlannedEvent } from '@flotilla/runtime';
import { networkKinds, type Service } from '../network-kinds.ts';
import { statusPlan } from '../status/next-status.ts';
import { loadBalancerAddress } from './load-balancer-address.ts';

/** Gives Services of type LoadBalancer an address, as the controller of a cloud does. */
export function loadBalancerController(isOn: boolean): Controller<Readonly<Service>> {
  return {
    name: 'service-controller',
    fieldManager: 'cloud-controller-manager',
    wakes: ({ spec, status }: Readonly<Service>) =>
      spec?.type === 'LoadBalancer' || status?.loadBalancer?.ingress !== undefined,
    watches: [{ kind: networkKinds.service, concerns: itself }],
    observe: (key, cache) => cache.get(networkKinds.service, key),
    decide: (service) => decideLoadBalancer(service, isOn),
  };
}

export function decideLoadBalancer(service: Readonly<Service>, isOn: boolean): Plan {
  const { spec = {}, status = {} } = service;
  if (spec.type !== 'LoadBalancer')
    return statusPlan(networkKinds.service, service, { status: withoutAddress(status) });
  // A load balancer of another class is responsible.
  if (!isOn || spec.loadBalancerClass !== undefined) return nothingToDo;
  const loadBalancer = { ingress: addressesOf(service) };
  if (jsonEquals(status.loadBalancer ?? {}, loadBalancer)) return nothingToDo;
  const plan = statusPlan(networkKinds.service, service, { status: { ...status, loadBalancer } });
  if (plan.steps.every((step) => step.length === 0)) return nothingToDo;
  return {
    ...plan,
    events: [
      eventAbout(service, 'EnsuringLoadBalancer', 'Ensuring load balancer'),
      eventAbout(service, 'EnsuredLoadBalancer', 'Ensured load balancer'),
    ],
  };
}

function withoutAddress(status: NonNullable<Service['status']>): JsonObject {
  return { ...status, loadBalancer: {} };
}

function addressesOf({ metadata, spec = {} }: Readonly<Service>): { ip: string; ipMode: string }[] {
  const families = (['IPv4', 'IPv6'] as const).filter((family) => (spec.ipFamilies ?? ['IPv4']).includes(family));
  return families.map((family) => ({ ip: loadBalancerAddress(metadata.uid ?? '', family), ipMode: 'VIP' }));
}

function eventAbout(about: Readonly<Service>, reason: string, message: string): PlannedEvent {
  return { about, type: 'Normal', reason, message };
}
