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

export async function printVersions({ hub, signal }: Session, output: 'json' | undefined): Promise<void> {
  const { body } = await hub.request({ method: 'GET', path: '/version', signal });
  printVersion(output, textOf(readJsonObject(body)['gitVersion']));
}
