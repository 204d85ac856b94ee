import { apiErrors, quote, type JsonObject } from '@flotilla/kube';
import { authorizeStream } from '../../../access/authorize-create.ts';
import type { Call } from '../../../call/call.ts';
import { admitConnection } from './admit-connection.ts';
import { containerOf, hostAndPort, kubeletOf, connectionRefused, podNamed } from './pod-target.ts';

/** exec and attach: refused by simulated kubelets, else answered as in a cluster whose kubelets do not answer. */
export async function podStreams(call: Call): Promise<never> {
  const { info } = call;
  checkMethod(call);
  authorizeStream(call);
  const isExec = info.subresource === 'exec';
  const options = await admitConnection(call, isExec ? 'PodExecOptions' : 'PodAttachOptions', streamOptions);
  const { container: requested = '' } = options as { container?: string };
  const container = containerOf(podNamed(call, info.name), requested);
  refuse(call, `${info.subresource}/${info.namespace}/${info.name}/${container}`);
}

export async function podPortForward(call: Call): Promise<never> {
  const { info } = call;
  checkMethod(call);
  authorizeStream(call);
  await admitConnection(call, 'PodPortForwardOptions', portOptions);
  refuse(call, `portForward/${info.namespace}/${info.name}`);
}

const maxPort = 0xffff;

/** A parameter may list several ports. */
function portOptions({ info }: Call): JsonObject {
  const ports = info.query.all('ports').flatMap((listed) => listed.split(','));
  return ports.length > 0 ? { ports: ports.map(portNumber) } : {};
}

function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= maxPort) return Number(text);
  const why = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw apiErrors.badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quote(text)}: ${why}`);
}

function streamOptions({ info }: Call): JsonObject {
  const { query } = info;
  const flags = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => query.flag(name) === true);
  const container = query.get('container') ?? '';
  const command = query.all('command');
  return {
    ...Object.fromEntries(flags.map((name) => [name, true])),
    ...(container && { container }),
    ...(info.subresource === 'exec' && command.length > 0 && { command: [...command] }),
  };
}

function checkMethod({ info }: Call): void {
  if (info.verb !== 'get' && info.verb !== 'create') throw apiErrors.methodNotAllowed();
}

function refuse(call: Call, path: string): never {
  const { info, request } = call;
  const node = podNamed(call, info.name).spec.nodeName ?? '';
  if (node === '') throw apiErrors.badRequest(`pod ${info.name} does not have a host assigned`);
  const address = kubeletOf(call, node, 'pods');
  if (request.headers['upgrade'] === undefined) throw apiErrors.badRequest('Upgrade request required');
  if (call.server.kubelets !== undefined) throw apiErrors.badRequest(call.server.kubelets.refusal);
  const url = `https://${hostAndPort(address)}/${path}`;
  throw apiErrors.internalError(`error sending request: Post ${quote(url)}: ${connectionRefused(address)}`);
}
