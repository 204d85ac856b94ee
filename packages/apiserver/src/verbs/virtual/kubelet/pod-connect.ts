import { apiErrors, quote } from '@flotilla/kube';
import { authorizeStream } from '../../../access/authorize-create.ts';
import type { Call } from '../../../call/call.ts';
import { containerOf, hostAndPort, kubeletOf, connectionRefused, podNamed } from './pod-target.ts';

/** exec and attach: refused by simulated kubelets, else answered as in a cluster whose kubelets do not answer. */
export function podStreams(call: Call): never {
  const { info } = call;
  checkMethod(call);
  authorizeStream(call);
  const pod = podNamed(call, info.name);
  const container = containerOf(pod, info.query.get('container') ?? '');
  refuse(call, `${info.subresource}/${info.namespace}/${info.name}/${container}`);
}

export function podPortForward(call: Call): never {
  const { info } = call;
  checkMethod(call);
  for (const port of info.query.all('ports')) {
    if (!/^\d+$/.test(port)) {
      throw apiErrors.badRequest(
        `cannot convert to []int32: strconv.ParseUint: parsing ${quote(port)}: invalid syntax`,
      );
    }
  }
  authorizeStream(call);
  refuse(call, `portForward/${info.namespace}/${info.name}`);
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
