import { dns1123SubdomainProblems, pathSegmentProblems, required, type FieldError } from '@flotilla/kube';
import type { LoadBalancerIngress } from '../core-services/service-fields.ts';
import { invalids } from '../field-checks.ts';

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

export function validateObjectReference({ apiGroup, kind, name }: ObjectReference, field: string): FieldError[] {
  return [
    // An empty group is written, and refused; an absent one is the core group.
    ...(typeof apiGroup === 'string'
      ? invalids(`${field}.apiGroup`, apiGroup, dns1123SubdomainProblems(apiGroup))
      : []),
    ...validateSegment(kind, `${field}.kind`),
    ...validateSegment(name, `${field}.name`),
  ];
}

export function validateSegment(value: string, field: string): FieldError[] {
  return value === '' ? [required(field)] : invalids(field, value, pathSegmentProblems(value));
}
