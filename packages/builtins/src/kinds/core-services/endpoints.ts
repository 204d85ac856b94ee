import {
  dns1123LabelProblems,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  portNumberProblems,
  qualifiedNameProblems,
  required,
  warningsForIp,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { noOldValues, validateEndpointIp, validateLegacyIp } from '../ip-field.ts';
import { sameFields } from '../same-fields.ts';

interface Endpoints {
  readonly subsets?: readonly Subset[];
}

interface Subset {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly EndpointPort[];
}

interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
}

interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  protocol?: string;
  readonly appProtocol?: string;
}

const protocols = ['SCTP', 'TCP', 'UDP'];

const shownAddresses = 3;

export const endpointsKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  nameRule: nameIsDnsSubdomain,
  createOnUpdate: true,
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  setDefaults(object) {
    for (const { ports = [] } of subsetsOf(object)) for (const port of ports) port.protocol ||= 'TCP';
  },
  validate: validateSubsets,
  validateUpdate(object, old) {
    const errors = validateSubsets(object);
    // Subsets that were valid once stay valid as long as they do not change.
    const isUntouched = errors.length > 0 && sameFields(object['subsets'], old['subsets']);
    return isUntouched ? [] : errors;
  },
  warnings(object) {
    if (object.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
    return subsetsOf(object).flatMap(({ addresses = [], notReadyAddresses = [] }, index) => [
      ...addresses.flatMap(({ ip }, at) => warningsForIp(`subsets[${index}].addresses[${at}].ip`, ip)),
      ...notReadyAddresses.flatMap(({ ip }, at) => warningsForIp(`subsets[${index}].notReadyAddresses[${at}].ip`, ip)),
    ]);
  },
  columns: {
    definitions: [nameColumn, column('Endpoints', 'string', 'Addresses that are ready.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', endpointsText(subsetsOf(object)), age(object, now)],
  },
};

function subsetsOf(object: KubeObject): readonly Subset[] {
  return (object as KubeObject & Endpoints).subsets ?? [];
}

function validateSubsets(object: KubeObject): FieldError[] {
  return subsetsOf(object).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const field = `subsets[${index}]`;
    const isEmpty = addresses.length === 0 && notReadyAddresses.length === 0;
    return [
      ...(isEmpty ? [required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...addresses.flatMap((address, at) => validateAddress(address, `${field}.addresses[${at}]`)),
      ...notReadyAddresses.flatMap((address, at) => validateAddress(address, `${field}.notReadyAddresses[${at}]`)),
      ...ports.flatMap((port, at) => validatePort(port, ports.length > 1, `${field}.ports[${at}]`)),
    ];
  });
}

function validateAddress({ ip, hostname = '', nodeName }: EndpointAddress, field: string): FieldError[] {
  const hostnameFaults = hostname === '' ? [] : dns1123LabelProblems(hostname);
  const nodeNameFaults = nodeName === undefined ? [] : nameIsDnsSubdomain(nodeName, false);
  return [
    ...validateLegacyIp(`${field}.ip`, ip, noOldValues),
    ...hostnameFaults.map((detail) => invalid(`${field}.hostname`, hostname, detail)),
    ...nodeNameFaults.map((detail) => invalid(`${field}.nodeName`, nodeName, detail)),
    ...validateEndpointIp(`${field}.ip`, ip),
  ];
}

function validatePort(port: EndpointPort, isNameNeeded: boolean, field: string): FieldError[] {
  const { name = '', protocol = '', appProtocol } = port;
  const errors: FieldError[] = [];
  const refuse = (child: string, value: string | number, problems: readonly string[]) => {
    for (const detail of problems) errors.push(invalid(`${field}.${child}`, value, detail));
  };
  if (name !== '') refuse('name', name, dns1123LabelProblems(name));
  else if (isNameNeeded) errors.push(required(`${field}.name`));
  refuse('port', port.port, portNumberProblems(port.port));
  if (protocol === '') errors.push(required(`${field}.protocol`));
  else if (!protocols.includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, protocols));
  if (appProtocol !== undefined) refuse('appProtocol', appProtocol, qualifiedNameProblems(appProtocol));
  return errors;
}

function endpointsText(subsets: readonly Subset[]): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`)),
  );
  const shown = all.slice(0, shownAddresses).join(',');
  return all.length > shownAddresses ? `${shown} + ${all.length - shownAddresses} more...` : shown;
}
