import {
  dns1123SubdomainProblems,
  invalid,
  pathSegmentProblems,
  required,
  validateIp,
  type FieldError,
  type KubeObject,
  type ObjectMeta,
} from '@flotilla/kube';
import { age, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { invalids } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { validateSegment } from './ingress-fields.ts';

interface ParentReference {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export const ipAddressKind: KindBehavior = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  nameRule: ipName,
  validate: validateParent,
  validateUpdate(object, old) {
    const errors = validateParent(object);
    const parent = parentOf(object);
    if (sameFields(parent, parentOf(old))) return errors;
    return [...errors, invalid('spec.parentRef', internalForm(parent), 'field is immutable')];
  },
  columns: {
    definitions: [nameColumn, column('ParentRef', 'string', 'Object that the address belongs to.')],
    // Kubernetes also sends an age, for which it has no column.
    cells: (object, now) => [object.metadata.name ?? '', parentText(parentOf(object)), age(object, now)],
  },
};

/** The name must be the address in canonical form. */
function ipName(name: string): string[] {
  const valuePart = /^Invalid value: "(?:[^"\\]|\\.)*": /;
  return validateIp('', name).map(({ body }) => body.replace(valuePart, ''));
}

function parentOf(object: KubeObject): ParentReference | undefined {
  return (object as KubeObject & { spec?: { parentRef?: ParentReference | null } }).spec?.parentRef ?? undefined;
}

function validateParent(object: KubeObject): FieldError[] {
  const field = 'spec.parentRef';
  const parent = parentOf(object);
  if (parent === undefined) return [required(field)];
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  return [
    ...(group === '' ? [] : invalids(`${field}.group`, group, dns1123SubdomainProblems(group))),
    ...validateSegment(resource, `${field}.resource`),
    ...validateSegment(name, `${field}.name`),
    ...(namespace === '' ? [] : invalids(`${field}.namespace`, namespace, pathSegmentProblems(namespace))),
  ];
}

function internalForm({ group = '', resource = '', namespace = '', name = '' }: ParentReference = {}) {
  return { Group: group, Resource: resource, Namespace: namespace, Name: name };
}

function parentText(parent: ParentReference | undefined): string {
  if (parent === undefined) return '<none>';
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  const kind = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
  return [kind, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

/** The IPAddress for an address of a Service. It exists as long as the Service holds the address. */
export function ipAddressFor(ip: string, { name = '', namespace = '' }: ObjectMeta): KubeObject {
  return {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: {
      name: ip,
      labels: {
        'ipaddress.kubernetes.io/ip-family': ip.includes(':') ? 'IPv6' : 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}
