import {
  cidrContains,
  forbidden,
  invalid,
  notSupported,
  parseCidr,
  portNameProblems,
  portNumberProblems,
  pushAll,
  required,
  validateLabelSelector,
  type FieldError,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { validateLegacyCidr } from '../ip-field.ts';
import { invalids } from '../field-checks.ts';

export interface NetworkPolicySpec {
  readonly podSelector?: LabelSelectorObject;
  readonly ingress?: readonly { readonly ports?: readonly PolicyPort[]; readonly from?: readonly Peer[] }[];
  readonly egress?: readonly { readonly ports?: readonly PolicyPort[]; readonly to?: readonly Peer[] }[];
  policyTypes?: string[];
}

interface PolicyPort {
  protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

interface Peer {
  readonly podSelector?: LabelSelectorObject;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly ipBlock?: IpBlock;
}

interface IpBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

/** `knownCidrs`: those of the old policy, which stay valid. */
export function validateNetworkPolicy(spec: NetworkPolicySpec, knownCidrs: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  pushAll(errors, validateLabelSelector(spec.podSelector, 'spec.podSelector'));
  for (const { field, ports, peers, peersField } of rulesOf(spec)) {
    for (const [index, port] of ports.entries()) pushAll(errors, validatePort(port, `${field}.ports[${index}]`));
    for (const [index, peer] of peers.entries()) {
      checkPeer(errors, `${field}.${peersField}[${index}]`, peer, knownCidrs);
    }
  }
  return [...errors, ...validateTypes(spec.policyTypes ?? [])];
}

export function blocksOf(spec: NetworkPolicySpec): { field: string; block: IpBlock }[] {
  return rulesOf(spec).flatMap(({ field, peers, peersField }) =>
    peers.flatMap(({ ipBlock: block }, index) =>
      block === undefined ? [] : [{ field: `${field}.${peersField}[${index}].ipBlock`, block }],
    ),
  );
}

interface Rule {
  readonly field: string;
  readonly ports: readonly PolicyPort[];
  readonly peers: readonly Peer[];
  readonly peersField: 'from' | 'to';
}

/** Both directions have the same form; only the field of their peers differs. */
function rulesOf({ ingress = [], egress = [] }: NetworkPolicySpec): Rule[] {
  return [
    ...ingress.map(({ ports = [], from = [] }, index): Rule => {
      return { field: `spec.ingress[${index}]`, ports, peers: from, peersField: 'from' };
    }),
    ...egress.map(({ ports = [], to = [] }, index): Rule => {
      return { field: `spec.egress[${index}]`, ports, peers: to, peersField: 'to' };
    }),
  ];
}

function validatePort({ protocol, port, endPort }: PolicyPort, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(notSupported(`${field}.protocol`, protocol, protocols));
  }
  if (typeof port === 'number') return [...errors, ...validateNumbers(port, endPort, field)];
  if (endPort !== undefined) {
    const why = port === undefined ? 'not specified' : 'non-numeric';
    errors.push(invalid(`${field}.endPort`, endPort, `may not be specified when \`port\` is ${why}`));
  }
  if (port !== undefined) pushAll(errors, invalids(`${field}.port`, port, portNameProblems(port)));
  return errors;
}

function validateNumbers(port: number, endPort: number | undefined, field: string): FieldError[] {
  const errors = portNumberProblems(port).map((problem) => invalid(`${field}.port`, port, problem));
  if (endPort === undefined) return errors;
  // Kubernetes shows the port here, not endPort.
  if (endPort < port) errors.push(invalid(`${field}.endPort`, port, 'must be greater than or equal to `port`'));
  return [...errors, ...portNumberProblems(endPort).map((problem) => invalid(`${field}.endPort`, endPort, problem))];
}

function checkPeer(errors: FieldError[], path: string, peer: Peer, knownCidrs: ReadonlySet<string>): void {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  pushAll(errors, validateLabelSelector(podSelector, `${path}.podSelector`));
  pushAll(errors, validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`));
  if (ipBlock !== undefined) pushAll(errors, validateBlock(ipBlock, `${path}.ipBlock`, knownCidrs));
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  if (!hasSelector && ipBlock === undefined) errors.push(required(path, 'must specify a peer'));
  if (hasSelector && ipBlock !== undefined) {
    errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
  }
}

function validateBlock({ cidr, except = [] }: IpBlock, field: string, known: ReadonlySet<string>): FieldError[] {
  if (cidr === '') return [required(`${field}.cidr`)];
  const errors = validateLegacyCidr(`${field}.cidr`, cidr, known);
  const whole = parseCidr(cidr);
  if (whole === undefined) return errors;
  for (const [index, range] of except.entries()) {
    const path = `${field}.except[${index}]`;
    pushAll(errors, validateLegacyCidr(path, range, known));
    const part = parseCidr(range);
    if (part === undefined) continue;
    if (!cidrContains(whole, part.network) || whole.prefixLength >= part.prefixLength) {
      errors.push(invalid(path, range, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}

function validateTypes(types: string[]): FieldError[] {
  if (types.length > policyTypes.length) {
    return [invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  }
  return types.flatMap((type, index) =>
    policyTypes.includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, policyTypes)],
  );
}
