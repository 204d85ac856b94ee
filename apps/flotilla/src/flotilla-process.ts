/** `flotilla` as its users run it: a process of its own. For tests. */
import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get, request } from 'node:https';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { readAccess, type ServerAccess } from './kubeconfig-file.ts';

const command = resolve(import.meta.dirname, '../bin/flotilla');

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export function flotilla(...args: string[]): Promise<Outcome> {
  return new Promise((done) => {
    execFile(command, args, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}

export interface ServerProcess {
  readonly access: ServerAccess;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Starts `flotilla apiserver` on a data directory; resolves when it says that it is ready. */
export async function serverProcess(directory: string): Promise<ServerProcess> {
  const child = spawn(command, ['apiserver', '--data-dir', directory, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await saidUntil(child, 'Ready at');
  const access = await readAccess(resolve(directory, 'kubeconfig'));
  if (!access || child.pid === undefined) throw new Error(`the server did not start: ${said}`);
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { access, pid: child.pid, stop };
}

/** What a process says until a word comes or it ends. */
function saidUntil(child: ChildProcessByStdio<null, Readable, null>, word: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += String(text);
      if (said.includes(word)) resolve(said);
    });
    child.once('exit', () => resolve(said));
  });
}

interface Answer {
  readonly status: number;
  readonly body: { readonly metadata?: { readonly resourceVersion?: string }; readonly message?: string };
}

/** One request as administrator. */
export async function ask(access: ServerAccess, path: string, object?: object): Promise<Answer> {
  const { url, authority: ca, certificate: cert, key } = access;
  const options = { ca, cert, key, agent: false, headers: { 'content-type': 'application/json' } };
  const sent = object ? request(`${url}${path}`, { ...options, method: 'POST' }) : get(`${url}${path}`, options);
  sent.end(object && JSON.stringify(object));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: (await json(response)) as Answer['body'] };
}
