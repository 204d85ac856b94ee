/** The kinds of networking, with the fields that the simulation reads. */
import type { JsonObject, Kind, KubeObject } from '@flotilla/kube';
import type { IntOrString } from './kinds.ts';

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    clusterIP?: string;
    ipFamilies?: string[];
    publishNotReadyAddresses?: boolean;
    trafficDistribution?: string;
    loadBalancerClass?: string;
  };
  status?: { loadBalancer?: LoadBalancerStatus };
}

export interface ServicePort extends JsonObject {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  targetPort?: IntOrString;
}

export interface LoadBalancerStatus extends JsonObject {
  ingress?: { ip?: string; ipMode?: string }[];
}

export interface Ingress extends KubeObject {
  spec?: { ingressClassName?: string };
  status?: { loadBalancer?: LoadBalancerStatus };
}

export interface Endpoints extends KubeObject {
  subsets?: EndpointSubset[];
}

/** Every address offers every port. */
export interface EndpointSubset extends JsonObject {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

export interface EndpointAddress extends JsonObject {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: TargetReference;
}

/** The pod behind an address, or any object that a user names. */
export interface TargetReference extends JsonObject {
  namespace?: string;
  name?: string;
  uid?: string;
}

/** In an EndpointSlice, a port without a name has an empty one. */
export interface EndpointPort extends JsonObject {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

export interface EndpointSlice extends KubeObject {
  addressType?: string;
  endpoints?: Endpoint[] | null;
  ports?: EndpointPort[] | null;
}

export interface Endpoint extends JsonObject {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  targetRef?: TargetReference;
  nodeName?: string;
  zone?: string;
  hints?: JsonObject;
}

const core = { group: '', version: 'v1', namespaced: true } as const;

export const networkKinds = {
  service: { ...core, kind: 'Service', plural: 'services' } as Kind<Service>,
  endpoints: { ...core, kind: 'Endpoints', plural: 'endpoints' } as Kind<Endpoints>,
  endpointSlice: {
    group: 'discovery.k8s.io',
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    namespaced: true,
  } as Kind<EndpointSlice>,
  ingress: {
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'Ingress',
    plural: 'ingresses',
    namespaced: true,
  } as Kind<Ingress>,
};
