import { readJsonObject } from '@flotilla/client';
import { textOf } from '@flotilla/kube';
import { print } from '../server-flags.ts';
import type { Session } from '../session/session.ts';
import { jsonText } from '../terminal/print-list.ts';
import { version } from '../version.ts';

export function printVersion(output: 'json' | undefined, server?: string): void {
  const text = `Client: flotilla ${version}${server === undefined ? '' : `\nServer: Kubernetes ${server}`}`;
  print(output === 'json' ? jsonText({ client: version, ...(server !== undefined && { server }) }) : text);
}

/** Kubernetes' version, as the server says it. */
export async function serverVersion({ hub, signal }: Session): Promise<string> {
  const { body } = await hub.request({ method: 'GET', path: '/version', signal });
  return textOf(readJsonObject(body)['gitVersion']);
}
