import {
  duplicate,
  forbidden,
  invalid,
  dns1123LabelProblems,
  pushAll,
  qualifiedNameProblems,
  portNameProblems,
  portNumberProblems,
  notSupported,
  required,
  type FieldError,
} from '@flotilla/kube';
import type { ServicePort, ServiceSpec } from './service-fields.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

/** Validates each port, and that names are unique. */
export function validatePorts({ ports = [] }: ServiceSpec): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    return [...validateName(port, field, ports.length > 1, names), ...validatePort(port, field)];
  });
}

/** A port number may repeat only with another protocol. */
export function validateUniquePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const ofType = type === 'ClusterIP' ? ports.flatMap(refuseNodePort) : [];
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  const repeatedNodePorts = ports.flatMap(({ protocol = '', nodePort = 0 }, index) =>
    nodePort !== 0 && !isNew(nodePorts, `${protocol}/${nodePort}`)
      ? [duplicate(`spec.ports[${index}].nodePort`, nodePort)]
      : [],
  );
  const repeatedPorts = ports.flatMap(({ protocol = '', port }, index) =>
    isNew(numbers, `${protocol}/${port}`) ? [] : [duplicate(`spec.ports[${index}]`, printedPort(protocol, port))],
  );
  return [...ofType, ...repeatedNodePorts, ...repeatedPorts];
}

function validatePortNumberOrName(port: number | string, field: string): FieldError[] {
  const problems = typeof port === 'number' ? portNumberProblems(port) : portNameProblems(port);
  return problems.map((detail) => invalid(field, port, detail));
}

function validateName({ name = '' }: ServicePort, field: string, isNeeded: boolean, names: Set<string>): FieldError[] {
  if (name === '') return isNeeded ? [required(`${field}.name`)] : [];
  const errors = dns1123LabelProblems(name).map((detail) => invalid(`${field}.name`, name, detail));
  if (!isNew(names, name)) errors.push(duplicate(`${field}.name`, name));
  return errors;
}

function validatePort({ port, protocol = '', targetPort = 0, appProtocol }: ServicePort, field: string): FieldError[] {
  const errors = portNumberProblems(port).map((detail) => invalid(`${field}.port`, port, detail));
  if (protocol === '') {
    errors.push(required(`${field}.protocol`));
  } else if (!protocols.includes(protocol)) {
    errors.push(notSupported(`${field}.protocol`, protocol, protocols));
  }
  pushAll(errors, validatePortNumberOrName(targetPort, `${field}.targetPort`));
  if (appProtocol !== undefined) {
    for (const detail of qualifiedNameProblems(appProtocol)) {
      errors.push(invalid(`${field}.appProtocol`, appProtocol, detail));
    }
  }
  return errors;
}

function refuseNodePort({ nodePort = 0 }: ServicePort, index: number): FieldError[] {
  if (nodePort === 0) return [];
  return [forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")];
}

/** Errors show the pair as an internal ServicePort with all other fields empty. */
function printedPort(protocol: string, port: number): Record<string, string | number | null> {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
}

function isNew(seen: Set<string>, key: string): boolean {
  const { size } = seen;
  return seen.add(key).size > size;
}
