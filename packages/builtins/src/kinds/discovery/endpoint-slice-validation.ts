import { isIPv4, isIPv6 } from 'node:net';
import {
  dns1123LabelProblems,
  duplicate,
  invalid,
  labelValueProblems,
  nameIsDnsSubdomain,
  notSupported,
  pushAll,
  qualifiedNameProblems,
  required,
  tooMany,
  validateFullyQualifiedDomainName,
  validateIp,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { invalids, repeatsIn } from '../field-checks.ts';
import { noOldValues, validateEndpointIp, validateLegacyIp } from '../ip-field.ts';
import { sameFields } from '../same-fields.ts';

interface EndpointSliceFields {
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly EndpointPort[] | null;
}

export interface Endpoint {
  readonly addresses?: readonly string[] | null;
  nodeName?: string;
  readonly hostname?: string;
  readonly hints?: EndpointHints;
  deprecatedTopology?: Record<string, string>;
}

interface EndpointHints {
  readonly forZones?: readonly { readonly name: string }[];
  readonly forNodes?: readonly { readonly name: string }[];
}

export interface EndpointPort {
  name?: string;
  protocol?: string;
  readonly port?: number;
  readonly appProtocol?: string;
}

export function endpointSliceOf(object: KubeObject): EndpointSliceFields {
  return object as KubeObject & EndpointSliceFields;
}

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxHints = 8;

export function validateEndpointSlice(object: KubeObject): FieldError[] {
  return [...validateTypeAndPorts(object), ...validateEndpoints(object)];
}

/** Endpoints that an older release accepted stay valid. The type of their addresses is immutable. */
export function validateEndpointSliceUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const { addressType = '', endpoints } = endpointSliceOf(object);
  const before = endpointSliceOf(old);
  const errors = validateTypeAndPorts(object);
  if (!sameFields(endpoints, before.endpoints)) pushAll(errors, validateEndpoints(object));
  if (addressType !== before.addressType) errors.push(invalid('addressType', addressType, 'field is immutable'));
  return errors;
}

function validateTypeAndPorts(object: KubeObject): FieldError[] {
  const { addressType = '', ports } = endpointSliceOf(object);
  return [...validateAddressType(addressType), ...validatePorts(ports ?? [])];
}

function validateAddressType(addressType: string): FieldError[] {
  if (addressType === '') return [required('addressType')];
  return addressTypes.includes(addressType) ? [] : [notSupported('addressType', addressType, addressTypes)];
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > maxPorts) return [tooMany('ports', ports.length, maxPorts)];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const errors = validatePort(port, `ports[${index}]`, names);
    names.add(port.name ?? '');
    return errors;
  });
}

function validatePort(port: EndpointPort, path: string, names: ReadonlySet<string>): FieldError[] {
  const { name = '', protocol = '', appProtocol } = port;
  const errors: FieldError[] = [];
  if (name !== '') pushAll(errors, invalids(`${path}.name`, name, dns1123LabelProblems(name)));
  if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
  if (!protocols.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, protocols));
  if (appProtocol !== undefined) {
    pushAll(errors, invalids(`${path}.appProtocol`, appProtocol, qualifiedNameProblems(appProtocol)));
  }
  return errors;
}

function validateEndpoints(object: KubeObject): FieldError[] {
  const { addressType = '', ...slice } = endpointSliceOf(object);
  const endpoints = slice.endpoints ?? [];
  if (endpoints.length > maxEndpoints) return [tooMany('endpoints', endpoints.length, maxEndpoints)];
  return endpoints.flatMap((endpoint, index) => validateEndpoint(endpoint, addressType, `endpoints[${index}]`));
}

function validateEndpoint(endpoint: Endpoint, addressType: string, path: string): FieldError[] {
  const { addresses, nodeName, hostname, hints } = endpoint;
  const errors = validateAddresses(addresses ?? [], addressType, `${path}.addresses`);
  if (nodeName !== undefined) {
    pushAll(errors, invalids(`${path}.nodeName`, nodeName, nameIsDnsSubdomain(nodeName, false)));
  }
  if (hostname !== undefined) pushAll(errors, invalids(`${path}.hostname`, hostname, dns1123LabelProblems(hostname)));
  if (hints !== undefined) pushAll(errors, validateHints(hints, `${path}.hints`));
  return errors;
}

function validateAddresses(addresses: readonly string[], addressType: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(path, 'must contain at least 1 address'));
  if (addresses.length > maxAddresses) errors.push(tooMany(path, addresses.length, maxAddresses));
  addresses.forEach((address, index) =>
    pushAll(errors, validateAddress(address, addressType, path, `${path}[${index}]`)),
  );
  return errors;
}

function validateAddress(address: string, addressType: string, list: string, path: string): FieldError[] {
  if (addressType === 'FQDN') return validateFullyQualifiedDomainName(path, address);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return [];
  const malformed = addressType === 'IPv4' ? validateLegacyIp(path, address, noOldValues) : validateIp(path, address);
  if (malformed.length > 0) return malformed;
  const isOfType = addressType === 'IPv4' ? isIPv4(address) : isIPv6(address);
  const errors = isOfType ? [] : [invalid(list, address, `must be an ${addressType} address`)];
  return [...errors, ...validateEndpointIp(path, address)];
}

function validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: string): FieldError[] {
  const zones = validateHintNames(forZones, `${path}.forZones`, labelValueProblems);
  if (forZones.length > maxHints) return zones;
  return [...zones, ...validateHintNames(forNodes, `${path}.forNodes`, (name) => nameIsDnsSubdomain(name, false))];
}

function validateHintNames(
  hints: readonly { readonly name: string }[],
  path: string,
  sentencesAbout: (name: string) => readonly string[],
): FieldError[] {
  if (hints.length > maxHints) return [tooMany(path, hints.length, maxHints)];
  const names = hints.map(({ name }) => name);
  const repeats = repeatsIn(names);
  return names.flatMap((name, index) => {
    const field = `${path}[${index}].name`;
    const errors = repeats.has(index) ? [duplicate(field, name)] : [];
    return [...errors, ...invalids(field, name, sentencesAbout(name))];
  });
}
