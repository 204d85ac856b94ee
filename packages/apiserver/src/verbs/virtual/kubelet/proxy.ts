import { BlockList, isIP } from 'node:net';
import { apiErrors, quote, type JsonObject, type KubeObject } from '@flotilla/kube';
import { decodeStored } from '../../../resources/object-bytes.ts';
import type { Call } from '../../../call/call.ts';
import { admitConnection } from './admit-connection.ts';
import { kubeletOf, connectionRefused, podNamed } from './pod-target.ts';

/** The target in a request's name: `https:web:8080` is port 8080 of `web` over TLS. */
interface Target {
  readonly name: string;
  readonly port: string;
}

const schemes = new Set(['', 'http', 'https']);

/** The rest of the path, which the target gets, with the slash at its end. */
function pathOption({ info, request }: Call): JsonObject {
  const rest = info.rest === '' ? '' : `/${info.rest}`;
  const path = request.path.endsWith('/') ? `${rest}/` : rest;
  return path === '' ? {} : { path };
}

function targetOf({ info }: Call, kind: string): Target {
  const parts = info.name.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || !schemes.has(scheme)) {
    throw apiErrors.badRequest(`invalid ${kind} request ${quote(info.name)}`);
  }
  return { name, port };
}

export async function podProxy(call: Call): Promise<never> {
  await admitConnection(call, 'PodProxyOptions', pathOption);
  const { name, port } = targetOf(call, 'pod');
  const { spec, status } = podNamed(call, name);
  const first = (spec.containers ?? []).flatMap(({ ports = [] }) => ports)[0];
  const { podIP: host = '' } = status as { podIP?: string };
  if (!isProxyable(host)) throw apiErrors.badRequest('address not allowed');
  unreachable(host, port || String(first?.containerPort ?? 80));
}

export async function nodeProxy(call: Call): Promise<never> {
  await admitConnection(call, 'NodeProxyOptions', pathOption);
  const { name, port } = targetOf(call, 'node');
  const kubelet = kubeletOf(call, name, 'nodes');
  if (!isProxyable(kubelet.host)) throw apiErrors.badRequest('address not allowed');
  unreachable(kubelet.host, port || String(kubelet.port));
}

interface ServiceFields extends KubeObject {
  spec: { ports?: { name?: string; port: number }[] };
}

interface EndpointsFields extends KubeObject {
  subsets?: { addresses?: { ip: string }[]; ports?: { name?: string; port: number }[] }[];
}

export async function serviceProxy(call: Call): Promise<never> {
  await admitConnection(call, 'ServiceProxyOptions', pathOption);
  const { name, port: requested } = targetOf(call, 'service');
  const port = /^\d+$/.test(requested) ? portName(call, name, Number(requested)) : requested;
  const { subsets = [] } = objectNamed(call, 'endpoints', name) as EndpointsFields;
  for (const { addresses = [], ports = [] } of subsets) {
    const [address] = addresses;
    const found = ports.find((candidate) => (candidate.name ?? '') === port);
    if (address && found) unreachable(address.ip, String(found.port));
  }
  const shown = subsets.length > 0 ? call.info.name : name;
  throw apiErrors.serviceUnavailable(`no endpoints available for service ${quote(shown)}`);
}

function portName(call: Call, service: string, port: number): string {
  const { spec } = objectNamed(call, 'services', service) as ServiceFields;
  const found = spec.ports?.find((candidate) => candidate.port === port);
  if (!found) throw apiErrors.serviceUnavailable(`no service port ${port} found for service ${quote(service)}`);
  return found.name ?? '';
}

function objectNamed({ server, info }: Call, collection: string, name: string): KubeObject {
  const entry = server.store.get({ collection, name: `${info.namespace}/${name}` });
  // Kubernetes reports missing endpoints as a missing service.
  if (!entry) throw apiErrors.notFound({ resource: 'services', group: '' }, name);
  return decodeStored(entry.bytes);
}

function unreachable(host: string, port: string): never {
  throw apiErrors.serviceUnavailable(`error trying to reach service: ${connectionRefused({ host, port })}`);
}

/** Addresses of this machine and of its link, which no proxy request may reach. */
const local = new BlockList();
local.addAddress('0.0.0.0');
local.addAddress('255.255.255.255');
local.addSubnet('127.0.0.0', 8);
local.addSubnet('169.254.0.0', 16);
local.addSubnet('224.0.0.0', 4);
local.addAddress('::', 'ipv6');
local.addAddress('::1', 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');
local.addSubnet('ff00::', 8, 'ipv6');

export function isProxyable(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !local.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
