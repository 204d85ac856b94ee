import type { LoadBalancerIngress } from '../core-services/service-fields.ts';

export interface IngressFields {
  readonly spec: IngressSpec;
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerIngress[] } };
}

export interface IngressSpec {
  readonly ingressClassName?: string;
  readonly defaultBackend?: IngressBackend;
  readonly tls?: readonly IngressTls[];
  readonly rules?: readonly IngressRule[];
}

export interface IngressTls {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
}

export interface IngressRule {
  readonly host?: string;
  readonly http?: { readonly paths: readonly IngressPath[] | null };
}

export interface IngressPath {
  readonly path?: string;
  readonly pathType?: string | null;
  readonly backend: IngressBackend;
}

export interface IngressBackend {
  readonly service?: ServiceBackend;
  readonly resource?: ObjectReference;
}

export interface ServiceBackend {
  readonly name: string;
  readonly port?: { readonly name?: string; readonly number?: number };
}

export interface ObjectReference {
  readonly apiGroup?: string | null;
  readonly kind: string;
  readonly name: string;
}
