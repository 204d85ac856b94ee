import { invalid, nameIsDnsSubdomain, type FieldError, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec, carryOver, startGeneration } from '../prepare-update.ts';
import {
  loadBalancerText,
  loadBalancerWarnings,
  validateAddress,
  validateHostname,
} from '../core-services/load-balancer-status.ts';
import type { IngressFields, IngressRule, IngressSpec } from './ingress-fields.ts';
import { leniencyOf, strict, validateIngressSpec } from './ingress-validation.ts';

const classAnnotation = 'kubernetes.io/ingress.class';
const shownHosts = 3;

export const ingressKind: KindBehavior = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  nameRule: nameIsDnsSubdomain,
  prepareForCreate(object) {
    object['status'] = { loadBalancer: {} };
    startGeneration(object);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    bumpGenerationOnSpec(object, old);
  },
  validate: (object) => [...validateIngressSpec(specOf(object), strict), ...validateClass(object)],
  validateUpdate: (object, old) => validateIngressSpec(specOf(object), leniencyOf(specOf(old))),
  warnings(object, old) {
    const isOldWay = annotatedClass(object) !== undefined && specOf(object).ingressClassName === undefined;
    if (old !== undefined || !isOldWay) return [];
    return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: validateStatus,
      warnings: (object) => loadBalancerWarnings(addressesOf(object)),
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Class', 'string', 'Class of the controller that serves the ingress.'),
      column('Hosts', 'string', 'Hosts of the rules.'),
      column('Address', 'string', 'The addresses of the load balancer.'),
      column('Ports', 'string', 'Ports that are open.'),
      ageColumn,
    ],
    cells(object, now) {
      const { ingressClassName, rules = [], tls = [] } = specOf(object);
      return [
        object.metadata.name ?? '',
        ingressClassName ?? '<none>',
        hostsText(rules),
        loadBalancerText(addressesOf(object)),
        tls.length > 0 ? '80, 443' : '80',
        age(object, now),
      ];
    },
  },
  resetFields: [['status']],
};

function specOf(object: KubeObject): IngressSpec {
  return (object as KubeObject & Partial<IngressFields>).spec ?? {};
}

function addressesOf(object: KubeObject) {
  return (object as KubeObject & IngressFields).status?.loadBalancer?.ingress ?? [];
}

function annotatedClass({ metadata: { annotations = {} } }: KubeObject): string | undefined {
  return annotations[classAnnotation];
}

function validateClass(object: KubeObject): FieldError[] {
  const annotated = annotatedClass(object);
  const { ingressClassName } = specOf(object);
  if (annotated === undefined || ingressClassName === undefined || annotated === ingressClassName) return [];
  const detail = 'must match `ingressClassName` when both are specified';
  return [invalid(`annotations.${classAnnotation}`, annotated, detail)];
}

function validateStatus(object: KubeObject, old: KubeObject): FieldError[] {
  const before = new Set(addressesOf(old).map(({ ip = '' }) => ip));
  return addressesOf(object).flatMap((ingress, index) => {
    const field = `status.loadBalancer.ingress[${index}]`;
    return [...validateAddress(ingress, field, before), ...validateHostname(ingress, `${field}.hostname`)];
  });
}

/** The first hosts; the rest is counted by rules, with or without host. */
function hostsText(rules: readonly IngressRule[]): string {
  const hosts: string[] = [];
  let isMore = false;
  for (const { host = '' } of rules) {
    if (hosts.length === shownHosts) isMore = true;
    else if (host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return isMore ? `${hosts.join(',')} + ${rules.length - shownHosts} more...` : hosts.join(',');
}
